#pragma once

/*
 * answers - one function for each question; each ends the process
 *
 * In layer order, a file for each layer.
 */

struct ask;

_Noreturn void answer_nodes_open(const struct ask *ask);
_Noreturn void answer_hsa_init(const struct ask *ask);
_Noreturn void answer_hip_init(const struct ask *ask);
_Noreturn void answer_hip_devices(const struct ask *ask);
_Noreturn void answer_memory_info(const struct ask *ask);
_Noreturn void answer_memory_malloc(const struct ask *ask);
_Noreturn void answer_memory_async(const struct ask *ask);
_Noreturn void answer_memory_pinned(const struct ask *ask);
_Noreturn void answer_memory_managed(const struct ask *ask);
_Noreturn void answer_memory_largest(const struct ask *ask);
_Noreturn void answer_copy_check(const struct ask *ask);
_Noreturn void answer_kernel_compile(const struct ask *ask);
_Noreturn void answer_kernel_run(const struct ask *ask);
_Noreturn void answer_rocblas_handle(const struct ask *ask);
_Noreturn void answer_rocblas_sgemm(const struct ask *ask);
_Noreturn void answer_rocblas_hgemm(const struct ask *ask);
_Noreturn void answer_hipblas_handle(const struct ask *ask);
_Noreturn void answer_hipblas_sgemm(const struct ask *ask);
_Noreturn void answer_hipblaslt_handle(const struct ask *ask);
_Noreturn void answer_hipblaslt_matmul(const struct ask *ask);
_Noreturn void answer_miopen_handle(const struct ask *ask);
_Noreturn void answer_miopen_convolution(const struct ask *ask);
_Noreturn void answer_miopen_batchnorm(const struct ask *ask);
_Noreturn void answer_rccl_allreduce(const struct ask *ask);
_Noreturn void answer_peer_copy(const struct ask *ask);
_Noreturn void answer_torch(const struct ask *ask);
