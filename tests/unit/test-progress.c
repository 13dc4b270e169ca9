#include "parse/progress.h"

#include <math.h>

#include "base/buf.h"
#include "check.h"

static void add_count(struct buf *b, const struct progress *p, const char *name, unsigned int key,
		      long of, long all)
{
	if (!(p->known & key))
		return;
	buf_addf(b, "%s %ld", name, of);
	if (p->known & key << 1)
		buf_addf(b, "/%ld", all);
	buf_char(b, ' ');
}

static const char *told(const char *line)
{
	static struct buf b;
	struct progress p;

	buf_clear(&b);
	if (!progress_parse(span_of(line), &p))
		return "none";
	add_count(&b, &p, "epoch", PROGRESS_EPOCH, p.epoch, p.epochs);
	if (p.part > 0)
		buf_addf(&b, "part %.3g ", p.part);
	add_count(&b, &p, "batch", PROGRESS_BATCH, p.batch, p.batches);
	add_count(&b, &p, "step", PROGRESS_STEP, p.step, p.steps);
	if (p.known & PROGRESS_PERCENT)
		buf_addf(&b, "%.3g%% ", p.percent);
	if (p.known & PROGRESS_LOSS)
		buf_addf(&b, "loss %.4g ", p.loss);
	if (p.known & PROGRESS_RATE)
		buf_addf(&b, "rate %.4g ", p.rate);
	b.data[--b.len] = '\0';
	return b.data;
}

static const struct {
	const char *line, *want;
} rows[] = {
	/* tqdm: with and without a name, with an end and without, and what it redraws */
	{ " 45%|████▌     | 86/192 [00:12<00:15,  6.91it/s]", "step 86/192 45% rate 6.91" },
	{ "\r 45%|████▌     | 86/192 [00:12<00:15,  6.91it/s]\r", "step 86/192 45% rate 6.91" },
	{ "  0%|          | 0/192 [00:00<?, ?it/s]", "step 0/192 0%" },
	{ "100%|██████████| 192/192 [00:27<00:00,  6.98it/s]", "step 192/192 100% rate 6.98" },
	{ "  5%|5         | 1/20 [01:10<22:10, 70.02s/it]", "step 1/20 5% rate 0.01428" },
	{ "86it [00:12,  6.91it/s]", "step 86 rate 6.91" },
	{ "Epoch 1/3:  45%|████▌     | 86/192 [00:12<00:15,  6.91it/s, loss=0.693]",
	  "epoch 1/3 batch 86/192 45% loss 0.693 rate 6.91" },
	{ "Epoch 2:  45%|####5     | 86/192 [00:12<00:15,  6.91batch/s, loss=0.6931]",
	  "epoch 2 batch 86/192 45% loss 0.6931 rate 6.91" },
	{ "Epochs:  33%|███▎      | 1/3 [02:10<04:20, 130.05s/it]", "epoch 1/3 33% rate 0.007689" },
	{ "Epoch:   0%|          | 0/3 [00:00<?, ?it/s]", "epoch 0/3 0%" },
	{ "\x1b[A\rTraining:  12%|█▏        | 12/100 [00:03<00:22,  3.91it/s]\x1b[A",
	  "step 12/100 12% rate 3.91" },
	{ "train:  50%|█████     | 450M/900M [00:10<00:10, 45.0MB/s]", "50%" },
	{ "Steps:   1%|          | 5/500 [00:04<06:42,  1.23it/s, lr=0.0001, step_loss=0.151]",
	  "step 5/500 1% loss 0.151 rate 1.23" },
	{ " 33%|███▎      |  33%  0:00:10", "33%" },
	{ "\x1b[32m 45%\x1b[0m|\x1b[32m████▌     \x1b[0m| 86/192 [00:12<00:15,  6.91it/s]",
	  "step 86/192 45% rate 6.91" },

	/* Lightning, with tqdm and with rich */
	{ "Epoch 0:  45%|████▍     | 86/192 [00:12<00:15,  6.91it/s, v_num=0, train_loss=0.693]",
	  "epoch 0 batch 86/192 45% loss 0.693 rate 6.91" },
	{ "Epoch 0/2  \x1b[35m━━━━━━━╸\x1b[0m\x1b[37m━━━━━━━━━━\x1b[0m 86/192 0:00:12 • 0:00:15 "
	  "6.91it/s v_num: 0.000 train_loss: 0.693",
	  "epoch 0/2 batch 86/192 loss 0.693 rate 6.91" },
	{ "Sanity Checking DataLoader 0:  50%|█████     | 1/2 [00:00<00:00,  9.17it/s]",
	  "step 1/2 50% rate 9.17" },

	/* Hugging Face */
	{ "{'loss': 0.6931, 'grad_norm': 1.234, 'learning_rate': 4.9e-05, 'epoch': 0.01}",
	  "epoch 0 part 0.01 loss 0.6931" },
	{ "{'loss': '0.6931', 'grad_norm': '1.234', 'learning_rate': '4.9e-05', 'epoch': '1.37'}",
	  "epoch 1 part 0.37 loss 0.6931" },
	{ "{'loss': nan, 'grad_norm': nan, 'learning_rate': 4.9e-05, 'epoch': 2.0}",
	  "epoch 2 loss nan" },
	{ "{'eval_loss': 0.7, 'eval_runtime': 1.2, 'epoch': 1.0}", "epoch 1" },
	{ "{'train_runtime': 12.3, 'train_samples_per_second': 81.3, 'train_loss': 0.61, 'epoch': 3.0}",
	  "epoch 3 loss 0.61" },
	{ "Loading checkpoint shards:  50%|█████     | 1/2 [00:01<00:01,  1.20s/it]",
	  "step 1/2 50% rate 0.8333" },
	{ "Map (num_proc=4):  17%|█▋        | 17000/100000 [00:02<00:12, 6612.32 examples/s]",
	  "step 17000/100000 17% rate 6612" },

	/* keras 2 and 3 */
	{ "Epoch 1/3", "epoch 1/3" },
	{ " 86/192 [============>.................] - ETA: 5s - loss: 0.6931 - accuracy: 0.5012",
	  "batch 86/192 loss 0.6931" },
	{ "192/192 [==============================] - 12s 50ms/step - loss: 0.6800 - val_loss: 0.7",
	  "batch 192/192 loss 0.68 rate 20" },
	{ "\x1b[1m 86/192\x1b[0m \x1b[32m━━━━━━━━\x1b[0m\x1b[37m━━━━━━━━━━━━\x1b[0m \x1b[1m5s\x1b[0m "
	  "50ms/step - accuracy: 0.5012 - loss: 0.6931",
	  "batch 86/192 loss 0.6931 rate 20" },

	/* plain */
	{ "Epoch 1/3 Batch 1/192 loss 0.69", "epoch 1/3 batch 1/192 loss 0.69" },
	{ "Epoch [1/3], Step [100/600], Loss: 0.1234", "epoch 1/3 step 100/600 loss 0.1234" },
	{ "[Epoch 1/200] [Batch 1/938] [D loss: 0.693] [G loss: 0.7]",
	  "epoch 1/200 batch 1/938 loss 0.693" },
	{ "Train Epoch: 1 [1280/60000 (2%)]\tLoss: 2.300039",
	  "epoch 1 batch 1280/60000 2% loss 2.3" },
	{ "Epoch: [0][  10/5005]\tTime  0.512 ( 1.203)\tData  0.001 ( 0.402)\tLoss 6.9e+00 (7.0e+00)",
	  "epoch 0 batch 10/5005 loss 6.9" },
	{ "Epoch: [0]  [  10/5005]  eta: 1:12:34  lr: 0.1  img/s: 123.4  loss: 6.9123 (7.0211)",
	  "epoch 0 batch 10/5005 loss 6.912 rate 123.4" },
	{ "iter 10: loss 4.2345, time 123.45ms, mfu 3.12%", "step 10 loss 4.234" },
	{ "step 0: train loss 4.2874, val loss 4.2823", "step 0 loss 4.287" },
	{ "2026-11-15 10:12:13 | INFO | epoch 3 of 10 | step 40 | loss=0.5",
	  "epoch 3/10 step 40 loss 0.5" },
	{ "epoch 001:     10 / 500 loss=12.1, ppl=4389, wps=2311",
	  "epoch 1 batch 10/500 loss 12.1" },
	{ "chunk 3/10: 24 trading days", "step 3/10" },
	{ "loss tensor(0.6931, device='cuda:0', grad_fn=<NllLossBackward0>)", "loss 0.6931" },

	/* timm, ultralytics, OpenMMLab, detectron2 */
	{ "Train: 0 [  50/1251 (  4%)]  Loss: 6.941 (6.95)  Time: 0.501s,  511.02/s  (0.612s,  418.3/s)",
	  "epoch 0 batch 50/1251 4% loss 6.941 rate 511" },
	{ "        1/3      2.51G      1.123      3.211      1.234         16        640:  45%|████▍     "
	  "| 86/192 [00:12<00:15,  6.91it/s]",
	  "epoch 1/3 batch 86/192 45% rate 6.91" },
	{ "        1/3      2.51G      1.123      3.211      1.234         16        640: 45% "
	  "━━━━━╸────── 86/192 6.9it/s 12.3s<15.3s",
	  "epoch 1/3 batch 86/192 45% rate 6.9" },
	{ "11/15 10:12:13 - mmengine - INFO - Epoch(train)  [1][ 50/192]  lr: 1.0000e-02  eta: 0:10:00  "
	  "time: 0.2010  loss: 0.6931",
	  "epoch 1 batch 50/192 loss 0.6931" },
	{ "11/15 10:12:13 - mmengine - INFO - Iter(train) [  50/1000]  lr: 1.0e-02  loss: 0.6931",
	  "step 50/1000 loss 0.6931" },
	{ "[11/15 10:12:13 d2.utils.events]:  eta: 0:12:34  iter: 19  total_loss: 1.712  time: 0.2",
	  "step 19 loss 1.712" },

	/* Megatron, DeepSpeed, torchtitan, Composer, torchrun */
	{ " iteration       10/     500 | consumed samples:          160 | elapsed time per iteration (ms): "
	  "1234.5 | learning rate: 1.500E-05 | global batch size:    16 | lm loss: 1.070E+01 | loss scale: 1.0 |",
	  "step 10/500 loss 10.7" },
	{ "[2026-11-15 10:12:13,123] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[1e-05]",
	  "step 10" },
	{ "steps: 10 loss: 2.3012 iter time (s): 1.201 samples/sec: 13.322",
	  "step 10 loss 2.301 rate 13.32" },
	{ "[titan] 2026-11-15 10:12:13,123 - root - INFO - step:  1  loss:  8.1309  memory: 10.21GiB(12%)  "
	  "tps: 1,234  mfu: 12.3%",
	  "step 1 loss 8.131" },
	{ "[epoch=1][batch=10/192]: loss/train/total: 2.3", "epoch 1 batch 10/192" },
	{ "[rank1]: Epoch 1/3 Batch 7/192 loss 0.6931", "epoch 1/3 batch 7/192 loss 0.6931" },

	/* vLLM, llama.cpp, compilers */
	{ "Loading safetensors checkpoint shards:  50% Completed | 1/2 [00:00<00:00,  1.54it/s]",
	  "step 1/2 50% rate 1.54" },
	{ "slot update_slots: id  0 | task 0 | prompt processing progress, n_past = 512, progress = 0.4512",
	  "45.1%" },
	{ "[  10/ 291]  blk.0.attn_q.weight - [ 4096,  4096,     1,     1], type = f16",
	  "step 10/291" },
	{ "train: [====>      ] data=0000064/0001234 loss=2.30±0.1 acc=10% t=00:00:12 ETA=00:03:12",
	  "step 64/1234 loss 2.3" },
	{ "[ 45%] Building CXX object csrc/CMakeFiles/x.dir/y.hip.o", "45%" },
	{ "[86/192] /opt/rocm/bin/hipcc -c kernel.hip", "step 86/192" },
	{ "Downloading model: 45%", "45%" },
};

static const char *const none[] = {
	"",
	"Traceback (most recent call last):",
	"  File \"/home/u/train.py\", line 45, in training_step",
	"    loss.backward()",
	"    optimizer.step()",
	"torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. 45% is free.",
	"  Num Epochs = 3",
	"  Total optimization steps = 500",
	"  Instantaneous batch size per device = 8",
	"batch_size=16 lr=0.1 max_steps=500",
	"GPU 0: 98% busy, 12.5/24.0 GiB used (52%), 65C",
	"2026-11-15 10:12:13 INFO starting",
	"11/15/2026 10:12:13 starting",
	"[11/15 10:12:13 d2.engine]: starting",
	"127.0.0.1 - - [15/Nov/2026:10:12:13 +0000] \"GET / HTTP/1.1\" 200",
	"packet loss 0%",
	"accuracy 95.3%",
	"rank 0/2 is ready",
	"Using device 1/2",
	"downloaded 45.2MB at 12.1MB/s",
	"saved to out/checkpoint-500/model.safetensors",
	"version 2/3 of the protocol",
	"step size 0.1, batch norm on",
	"steps per second: 12",
	"ETA 1/2 hour",
	"a lossless format: 1",
	"memory: 10.21GiB(12%)",
	"[W] 45%",
	"\x1b[2K\r",
	"MIOpen(HIP): Warning [SQLiteBase] Missing system database file: gfx1030_40.kdb",
	"kernel took 10ms/step",
};

int main(void)
{
	char line[5000];
	struct progress p = { .epoch = 7 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		CHECK_TEXT(told(rows[i].line), rows[i].want);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (!CHECK(!progress_parse(span_of(none[i]), &p)))
			printf("  %s: %s\n", none[i], told(none[i]));
	CHECK_INT(p.epoch, 7);
	memset(line, '1', sizeof(line));
	CHECK(!progress_parse((struct span){ line, sizeof(line) }, &p));
	memcpy(line, "epoch ", 6);
	CHECK(!progress_parse((struct span){ line, sizeof(line) }, &p));
	return check_end();
}
