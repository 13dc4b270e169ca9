#include "prober/abi-miopen.h"

#include <stdint.h>

#include "prober/answers.h"
#include "prober/hip.h"

/* A batch of images, small whole numbers: a convolution of them is exact. */
#define N       2
#define C       3
#define SIDE    8
#define FILTERS 4
#define IMAGE   (SIDE * SIDE)
#define EPSILON 1e-5

struct miopen_calls {
	ABI_MIOPEN_CALLS(VENDOR_POINTER)
};

static struct miopen_calls miopen;
static const char *const names[] = { ABI_MIOPEN_CALLS(VENDOR_NAME) NULL };

#define MIOPEN(name, ...) wire_accept((long)VENDOR_CALL(miopen, name, __VA_ARGS__))

static float images[N * C * IMAGE];

static miopenHandle_t open_handle(const struct ask *ask)
{
	miopenHandle_t handle = NULL;

	hip_open(ask, VENDOR_MIOPEN);
	vendor_fill(VENDOR_MIOPEN, names, &miopen);
	MIOPEN(miopenCreate, &handle);
	return handle;
}

void answer_miopen_handle(const struct ask *ask)
{
	miopenHandle_t handle = open_handle(ask);

	MIOPEN(miopenDestroy, handle);
	wire_answered();
}

static miopenTensorDescriptor_t describe(int n, int c, int h, int w)
{
	miopenTensorDescriptor_t tensor = NULL;

	MIOPEN(miopenCreateTensorDescriptor, &tensor);
	MIOPEN(miopenSet4dTensorDescriptor, tensor, miopenFloat, n, c, h, w);
	return tensor;
}

static void fill_images(void)
{
	for (unsigned i = 0; i < N * C * IMAGE; i++)
		images[i] = (float)(i * 7 % 13) - 5;
}

/* A filter of 3 x 3 with a border of zeros around the image: result and image are of one size. */
struct convolution {
	miopenTensorDescriptor_t of_x, of_w, of_y;
	miopenConvolutionDescriptor_t how;
	void *x, *w, *y, *workspace;
	size_t workspace_size;
};

static float filters[FILTERS * C * 9];
static float results[N * FILTERS * IMAGE];

static float pixel(unsigned n, unsigned c, int row, int column)
{
	if (row < 0 || row >= SIDE || column < 0 || column >= SIDE)
		return 0;
	return images[(n * C + c) * IMAGE + (unsigned)(row * SIDE + column)];
}

static float expected(unsigned n, unsigned filter, int row, int column)
{
	float sum = 0;

	for (unsigned c = 0; c < C; c++)
		for (int i = 0; i < 9; i++)
			sum += filters[(filter * C + c) * 9 + (unsigned)i] *
			       pixel(n, c, row + i / 3 - 1, column + i % 3 - 1);
	return sum;
}

static void prepare(miopenHandle_t handle, struct convolution *v)
{
	for (unsigned i = 0; i < FILTERS * C * 9; i++)
		filters[i] = (float)(i * 5 % 7) - 3;
	fill_images();
	v->of_x = describe(N, C, SIDE, SIDE);
	v->of_w = describe(FILTERS, C, 3, 3);
	v->of_y = describe(N, FILTERS, SIDE, SIDE);
	MIOPEN(miopenCreateConvolutionDescriptor, &v->how);
	MIOPEN(miopenInitConvolutionDescriptor, v->how, miopenConvolution, 1, 1, 1, 1, 1, 1);
	v->x = hip_upload(images, sizeof(images));
	v->w = hip_upload(filters, sizeof(filters));
	v->y = hip_room(sizeof(results));
	MIOPEN(miopenConvolutionForwardGetWorkSpaceSize, handle, v->of_w, v->of_x, v->how, v->of_y,
	       &v->workspace_size);
	wire_value("workspace", "%zu", v->workspace_size);
	v->workspace = v->workspace_size ? hip_room(v->workspace_size) : NULL;
}

static void convolve(miopenHandle_t handle, const struct convolution *v)
{
	miopenConvAlgoPerf_t found = { 0 };
	const float one = 1, zero = 0;
	int count = 0;

	MIOPEN(miopenFindConvolutionForwardAlgorithm, handle, v->of_x, v->x, v->of_w, v->w, v->how,
	       v->of_y, v->y, 1, &count, &found, v->workspace, v->workspace_size, false);
	if (count < 1)
		wire_wrong("no algorithm and no error");
	wire_value("algorithm", "%d", (int)found.fwd_algo);
	MIOPEN(miopenConvolutionForward, handle, &one, v->of_x, v->x, v->of_w, v->w, v->how,
	       found.fwd_algo, &zero, v->of_y, v->y, v->workspace, v->workspace_size);
	hip_download(results, v->y, sizeof(results));
}

/* Winograd and FFT algorithms are not exact. */
static bool is_near(double is, double wanted, double most)
{
	double distance = is > wanted ? is - wanted : wanted - is;

	return distance <= most;
}

void answer_miopen_convolution(const struct ask *ask)
{
	miopenHandle_t handle = open_handle(ask);
	struct convolution v = { 0 };

	prepare(handle, &v);
	convolve(handle, &v);
	for (unsigned i = 0; i < N * FILTERS * IMAGE; i++) {
		float wanted = expected(i / (FILTERS * IMAGE), i / IMAGE % FILTERS,
					(int)(i % IMAGE / SIDE), (int)(i % SIDE));

		if (!is_near((double)results[i], (double)wanted, 0.05))
			wire_wrong("element %u is %g, not %g", i, (double)results[i],
				   (double)wanted);
	}
	wire_answered();
}

/* Mean and variance of one channel over the batch. */
static void measure(unsigned c, double *ret_mean, double *ret_variance)
{
	double sum = 0, squares = 0;

	for (unsigned i = 0; i < N * IMAGE; i++) {
		double value = (double)images[(i / IMAGE * C + c) * IMAGE + i % IMAGE];

		sum += value;
		squares += value * value;
	}
	*ret_mean = sum / (N * IMAGE);
	*ret_variance = squares / (N * IMAGE) - *ret_mean * *ret_mean;
}

/* (y - bias) ^ 2 * (variance + epsilon) = (x - mean) ^ 2 * scale ^ 2, and the sign: no square root needed. */
static void check_normalized(const float *y, unsigned c, double scale, double bias)
{
	double mean, variance;

	measure(c, &mean, &variance);
	for (unsigned i = 0; i < N * IMAGE; i++) {
		unsigned at = (i / IMAGE * C + c) * IMAGE + i % IMAGE;
		double x = ((double)images[at] - mean) * scale, is = (double)y[at] - bias;

		if (!is_near(is * is * (variance + EPSILON), x * x, 0.01) ||
		    (is * x < 0 && x * x > 0.01))
			wire_wrong("element %u is %g", at, (double)y[at]);
	}
}

void answer_miopen_batchnorm(const struct ask *ask)
{
	miopenHandle_t handle = open_handle(ask);
	const float scales[C] = { 1, 2, 0.5f }, biases[C] = { 0, -1, 3 };
	miopenTensorDescriptor_t of_x, of_parameters = NULL;
	float one = 1, zero = 0;
	static float y[N * C * IMAGE];
	void *x, *device_y, *scale, *bias;

	fill_images();
	of_x = describe(N, C, SIDE, SIDE);
	MIOPEN(miopenCreateTensorDescriptor, &of_parameters);
	MIOPEN(miopenDeriveBNTensorDescriptor, of_parameters, of_x, miopenBNSpatial);
	x = hip_upload(images, sizeof(images));
	device_y = hip_room(sizeof(y));
	scale = hip_upload(scales, sizeof(scales));
	bias = hip_upload(biases, sizeof(biases));
	MIOPEN(miopenBatchNormalizationForwardTraining, handle, miopenBNSpatial, &one, &zero, of_x,
	       x, of_x, device_y, of_parameters, scale, bias, 1.0, NULL, NULL, EPSILON, NULL, NULL);
	hip_download(y, device_y, sizeof(y));
	for (unsigned c = 0; c < C; c++)
		check_normalized(y, c, (double)scales[c], (double)biases[c]);
	wire_answered();
}
