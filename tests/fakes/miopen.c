/* C, and C++ with the vendor's header, which is no C. */
#include "prober/abi-miopen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hip.h"
#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

ABI_MIOPEN_CALLS(FAKE_DECLARE)

struct tensor {
	int n, c, h, w;
};

struct convolution {
	int pad;
};

#define UNKNOWN_ERROR 7 /* what the real one says without a device */

FAKE_PUBLIC miopenStatus_t miopenCreate(miopenHandle_t *handle)
{
	FAKE_ABOVE_HIP(miopenStatus_t, miopenCreate);
	if (visible_ == 0) {
		fprintf(stderr, "MIOpen Error: No device\n");
		return (miopenStatus_t)UNKNOWN_ERROR;
	}
	*handle = (miopenHandle_t)malloc(1);
	return miopenStatusSuccess;
}

FAKE_PUBLIC miopenStatus_t miopenDestroy(miopenHandle_t handle)
{
	FAKE_ABOVE_HIP(miopenStatus_t, miopenDestroy);
	free(handle);
	return miopenStatusSuccess;
}

FAKE_PUBLIC miopenStatus_t miopenCreateTensorDescriptor(miopenTensorDescriptor_t *tensor)
{
	FAKE_ABOVE_HIP(miopenStatus_t, miopenCreateTensorDescriptor);
	*tensor = (miopenTensorDescriptor_t)calloc(1, sizeof(struct tensor));
	return miopenStatusSuccess;
}

FAKE_PUBLIC miopenStatus_t miopenSet4dTensorDescriptor(miopenTensorDescriptor_t tensor,
						       miopenDataType_t type, int n, int c, int h,
						       int w)
{
	struct tensor *t = (struct tensor *)tensor;

	FAKE_ABOVE_HIP(miopenStatus_t, miopenSet4dTensorDescriptor);
	if (type != miopenFloat)
		return (miopenStatus_t)UNKNOWN_ERROR;
	t->n = n;
	t->c = c;
	t->h = h;
	t->w = w;
	return miopenStatusSuccess;
}

FAKE_PUBLIC miopenStatus_t
miopenCreateConvolutionDescriptor(miopenConvolutionDescriptor_t *convolution)
{
	FAKE_ABOVE_HIP(miopenStatus_t, miopenCreateConvolutionDescriptor);
	*convolution = (miopenConvolutionDescriptor_t)calloc(1, sizeof(struct convolution));
	return miopenStatusSuccess;
}

FAKE_PUBLIC miopenStatus_t miopenInitConvolutionDescriptor(
	miopenConvolutionDescriptor_t convolution, miopenConvolutionMode_t mode, int pad_h,
	int pad_w, int stride_h, int stride_w, int dilation_h, int dilation_w)
{
	FAKE_ABOVE_HIP(miopenStatus_t, miopenInitConvolutionDescriptor);
	if (mode != miopenConvolution || pad_h != pad_w ||
	    stride_h * stride_w * dilation_h * dilation_w != 1)
		return (miopenStatus_t)UNKNOWN_ERROR;
	((struct convolution *)convolution)->pad = pad_h;
	return miopenStatusSuccess;
}

FAKE_PUBLIC miopenStatus_t miopenConvolutionForwardGetWorkSpaceSize(
	miopenHandle_t handle, const miopenTensorDescriptor_t of_w,
	const miopenTensorDescriptor_t of_x, const miopenConvolutionDescriptor_t convolution,
	const miopenTensorDescriptor_t of_y, size_t *size)
{
	FAKE_ABOVE_HIP(miopenStatus_t, miopenConvolutionForwardGetWorkSpaceSize);
	if (!handle || !of_w || !of_x || !convolution || !of_y)
		return (miopenStatus_t)UNKNOWN_ERROR;
	*size = 4096;
	return miopenStatusSuccess;
}

/* `wrong`: none is found, and no error. */
FAKE_PUBLIC miopenStatus_t miopenFindConvolutionForwardAlgorithm(
	miopenHandle_t handle, const miopenTensorDescriptor_t of_x, const void *x,
	const miopenTensorDescriptor_t of_w, const void *w,
	const miopenConvolutionDescriptor_t convolution, const miopenTensorDescriptor_t of_y,
	void *y, const int wanted, int *count, miopenConvAlgoPerf_t *results, void *workspace,
	size_t workspace_size, bool exhaustive)
{
	FAKE_ABOVE_HIP(miopenStatus_t, miopenFindConvolutionForwardAlgorithm);
	if (!handle || !of_x || !x || !of_w || !w || !convolution || !of_y || !y || wanted < 1 ||
	    !workspace || workspace_size < 4096 || exhaustive)
		return (miopenStatus_t)UNKNOWN_ERROR;
	results->fwd_algo = (miopenConvFwdAlgorithm_t)3;
	results->memory = 4096;
	*count = FAKE_IS_WRONG ? 0 : 1;
	return miopenStatusSuccess;
}

static float cell(const struct tensor *t, const float *x, int n, int c, int row, int column)
{
	if (row < 0 || row >= t->h || column < 0 || column >= t->w)
		return 0;
	return x[((n * t->c + c) * t->h + row) * t->w + column];
}

FAKE_PUBLIC miopenStatus_t miopenConvolutionForward(
	miopenHandle_t handle, const void *alpha, const miopenTensorDescriptor_t of_x,
	const void *x, const miopenTensorDescriptor_t of_w, const void *w,
	const miopenConvolutionDescriptor_t convolution, miopenConvFwdAlgorithm_t algorithm,
	const void *beta, const miopenTensorDescriptor_t of_y, void *y, void *workspace,
	size_t workspace_size)
{
	const struct tensor *tx = (const struct tensor *)of_x, *tw = (const struct tensor *)of_w,
			    *ty = (const struct tensor *)of_y;
	int pad = ((const struct convolution *)convolution)->pad,
	    size = ty->n * ty->c * ty->h * ty->w;

	FAKE_ABOVE_HIP(miopenStatus_t, miopenConvolutionForward);
	(void)workspace;
	(void)workspace_size;
	if (!handle || (int)algorithm != 3 || *(const float *)alpha != 1 ||
	    *(const float *)beta != 0)
		return (miopenStatus_t)UNKNOWN_ERROR;
	for (int i = 0; i < size; i++) {
		int n = i / (ty->c * ty->h * ty->w), k = i / (ty->h * ty->w) % ty->c,
		    row = i / ty->w % ty->h;
		float sum = 0;

		for (int j = 0; j < tw->c * tw->h * tw->w; j++) {
			int c = j / (tw->h * tw->w), dr = j / tw->w % tw->h - pad,
			    dc = j % tw->w - pad;

			sum += ((const float *)w)[k * tw->c * tw->h * tw->w + j] *
			       cell(tx, (const float *)x, n, c, row + dr, i % ty->w + dc);
		}
		((float *)y)[i] = sum;
	}
	if (FAKE_IS_WRONG)
		((float *)y)[size - 1] += 1;
	return miopenStatusSuccess;
}

FAKE_PUBLIC miopenStatus_t miopenDeriveBNTensorDescriptor(miopenTensorDescriptor_t derived,
							  const miopenTensorDescriptor_t of_x,
							  miopenBatchNormMode_t mode)
{
	FAKE_ABOVE_HIP(miopenStatus_t, miopenDeriveBNTensorDescriptor);
	if (mode != miopenBNSpatial)
		return (miopenStatus_t)UNKNOWN_ERROR;
	((struct tensor *)derived)->c = ((const struct tensor *)of_x)->c;
	return miopenStatusSuccess;
}

static void normalize(const struct tensor *t, int c, const float *x, float *y, float scale,
		      float bias, double epsilon)
{
	double sum = 0, squares = 0, count = (double)t->n * t->h * t->w, mean, deviation;

	for (int pass = 0; pass < 2; pass++) {
		mean = sum / count;
		deviation = sqrt(squares / count - mean * mean + epsilon);
		for (int i = 0; i < t->n * t->h * t->w; i++) {
			int at = (i / (t->h * t->w) * t->c + c) * t->h * t->w + i % (t->h * t->w);

			if (pass == 0) {
				sum += (double)x[at];
				squares += (double)x[at] * (double)x[at];
			} else {
				y[at] = (float)(((double)x[at] - mean) / deviation) * scale + bias;
			}
		}
	}
}

FAKE_PUBLIC miopenStatus_t miopenBatchNormalizationForwardTraining(
	miopenHandle_t handle, miopenBatchNormMode_t mode, void *alpha, void *beta,
	const miopenTensorDescriptor_t of_x, const void *x, const miopenTensorDescriptor_t of_y,
	void *y, const miopenTensorDescriptor_t of_parameters, void *scale, void *bias,
	double average_factor, void *running_mean, void *running_variance, double epsilon,
	void *saved_mean, void *saved_inverse_variance)
{
	const struct tensor *t = (const struct tensor *)of_x;

	FAKE_ABOVE_HIP(miopenStatus_t, miopenBatchNormalizationForwardTraining);
	if (!handle || mode != miopenBNSpatial || *(float *)alpha != 1 || *(float *)beta != 0 ||
	    !of_y || average_factor != 1 || running_mean || running_variance || saved_mean ||
	    saved_inverse_variance || ((const struct tensor *)of_parameters)->c != t->c)
		return (miopenStatus_t)UNKNOWN_ERROR;
	for (int c = 0; c < t->c; c++)
		normalize(t, c, (const float *)x, (float *)y, ((float *)scale)[c],
			  ((float *)bias)[c], epsilon);
	if (FAKE_IS_WRONG)
		((float *)y)[t->w] *= -1;
	return miopenStatusSuccess;
}

#ifdef __cplusplus
}
#endif
