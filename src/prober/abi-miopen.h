#pragma once

/*
 * abi-miopen - what we use of libMIOpen
 *
 * See prober/abi.h.
 */

#include <stdbool.h>
#include <stddef.h>

#include "prober/abi.h"

#define ABI_MIOPEN_NUMBERS(NUMBER)     \
	NUMBER(miopenStatusSuccess, 0) \
	NUMBER(miopenFloat, 1)         \
	NUMBER(miopenConvolution, 0)   \
	NUMBER(miopenBNSpatial, 1)

#ifdef ABI_OF_VENDOR
#include <miopen/miopen.h>
#else
typedef int miopenStatus_t;
typedef int miopenDataType_t;
typedef int miopenConvolutionMode_t;
typedef int miopenConvFwdAlgorithm_t;
typedef int miopenBatchNormMode_t;
typedef struct miopenHandle *miopenHandle_t;
typedef struct miopenTensorDescriptor *miopenTensorDescriptor_t;
typedef struct miopenConvolutionDescriptor *miopenConvolutionDescriptor_t;
typedef struct {
	miopenConvFwdAlgorithm_t fwd_algo;
	float time;
	size_t memory;
} miopenConvAlgoPerf_t;
enum { ABI_MIOPEN_NUMBERS(ABI_ENUMERATE) };
#endif

#define ABI_MIOPEN_LAYOUT(LAYOUT)                 \
	LAYOUT(miopenConvAlgoPerf_t, fwd_algo, 0) \
	LAYOUT(miopenConvAlgoPerf_t, memory, 8)
#define ABI_MIOPEN_SIZES(SIZE) SIZE(miopenConvAlgoPerf_t, 16)

#define ABI_MIOPEN_CALLS(CALL)                                                                     \
	CALL(miopenStatus_t, miopenCreate, (miopenHandle_t * handle))                              \
	CALL(miopenStatus_t, miopenDestroy, (miopenHandle_t handle))                               \
	CALL(miopenStatus_t, miopenCreateTensorDescriptor, (miopenTensorDescriptor_t * tensor))    \
	CALL(miopenStatus_t, miopenSet4dTensorDescriptor,                                          \
	     (miopenTensorDescriptor_t tensor, miopenDataType_t type, int n, int c, int h, int w)) \
	CALL(miopenStatus_t, miopenCreateConvolutionDescriptor,                                    \
	     (miopenConvolutionDescriptor_t * convolution))                                        \
	CALL(miopenStatus_t, miopenInitConvolutionDescriptor,                                      \
	     (miopenConvolutionDescriptor_t convolution, miopenConvolutionMode_t mode, int pad_h,  \
	      int pad_w, int stride_h, int stride_w, int dilation_h, int dilation_w))              \
	CALL(miopenStatus_t, miopenConvolutionForwardGetWorkSpaceSize,                             \
	     (miopenHandle_t handle, const miopenTensorDescriptor_t of_w,                          \
	      const miopenTensorDescriptor_t of_x,                                                 \
	      const miopenConvolutionDescriptor_t convolution,                                     \
	      const miopenTensorDescriptor_t of_y, size_t *size))                                  \
	CALL(miopenStatus_t, miopenFindConvolutionForwardAlgorithm,                                \
	     (miopenHandle_t handle, const miopenTensorDescriptor_t of_x, const void *x,           \
	      const miopenTensorDescriptor_t of_w, const void *w,                                  \
	      const miopenConvolutionDescriptor_t convolution,                                     \
	      const miopenTensorDescriptor_t of_y, void *y, const int wanted, int *count,          \
	      miopenConvAlgoPerf_t *results, void *workspace, size_t workspace_size,               \
	      bool exhaustive))                                                                    \
	CALL(miopenStatus_t, miopenConvolutionForward,                                             \
	     (miopenHandle_t handle, const void *alpha, const miopenTensorDescriptor_t of_x,       \
	      const void *x, const miopenTensorDescriptor_t of_w, const void *w,                   \
	      const miopenConvolutionDescriptor_t convolution, miopenConvFwdAlgorithm_t algorithm, \
	      const void *beta, const miopenTensorDescriptor_t of_y, void *y, void *workspace,     \
	      size_t workspace_size))                                                              \
	CALL(miopenStatus_t, miopenDeriveBNTensorDescriptor,                                       \
	     (miopenTensorDescriptor_t derived, const miopenTensorDescriptor_t of_x,               \
	      miopenBatchNormMode_t mode))                                                         \
	CALL(miopenStatus_t, miopenBatchNormalizationForwardTraining,                              \
	     (miopenHandle_t handle, miopenBatchNormMode_t mode, void *alpha, void *beta,          \
	      const miopenTensorDescriptor_t of_x, const void *x,                                  \
	      const miopenTensorDescriptor_t of_y, void *y,                                        \
	      const miopenTensorDescriptor_t of_parameters, void *scale, void *bias,               \
	      double average_factor, void *running_mean, void *running_variance, double epsilon,   \
	      void *saved_mean, void *saved_inverse_variance))
