#include "gpu/common/cuda_error.h"

#include "base/status.h"

/* True if the device, its driver or the context on it is lost, or was never usable by this
 * build.  A kernel that reads outside its memory is a bug and does not count as a lost device. */
static bool device_is_lost(cudaError_t code)
{
  if ((int)code == 226) /* cudaErrorContained, which some versions of CUDA 12 do not know */
    return true;
  switch (code) {
  case cudaErrorStubLibrary:
  case cudaErrorCallRequiresNewerDriver:
  case cudaErrorIncompatibleDriverContext:
  case cudaErrorDeviceAlreadyInUse:
  case cudaErrorNotSupported: /* for example no memory pools, on a virtual GPU */
  case cudaErrorDevicesUnavailable:
  case cudaErrorDeviceUninitialized:
  case cudaErrorDeviceNotLicensed:
  case cudaErrorNoDevice:
  case cudaErrorInvalidDevice:
  case cudaErrorInsufficientDriver:
  case cudaErrorInitializationError:
  case cudaErrorSystemNotReady:
  case cudaErrorSystemDriverMismatch:
  case cudaErrorCompatNotSupportedOnDevice:
  case cudaErrorNoKernelImageForDevice:
  case cudaErrorInvalidKernelImage:
  case cudaErrorUnsupportedPtxVersion:
  case cudaErrorJitCompilerNotFound:
  case cudaErrorJitCompilationDisabled:
  case cudaErrorStartupFailure:
  case cudaErrorCudartUnloading:
  case cudaErrorContextIsDestroyed:
  case cudaErrorECCUncorrectable:
  case cudaErrorNvlinkUncorrectable:
  case cudaErrorExternalDevice:
  case cudaErrorLaunchFailure:
  case cudaErrorLaunchTimeout:
  case cudaErrorIllegalInstruction:
  case cudaErrorInvalidPc:
  case cudaErrorHardwareStackError:
  case cudaErrorMpsConnectionFailed:
  case cudaErrorMpsRpcFailure:
  case cudaErrorMpsServerNotReady:
  case cudaErrorMpsMaxClientsReached:
  case cudaErrorMpsMaxConnectionsReached:
  case cudaErrorMpsClientTerminated:
  case cudaErrorOperatingSystem:
  case cudaErrorUnknown:
    return true;
  default:
    return false;
  }
}

ms_status ms_cuda_status(cudaError_t code, const char *what, ms_error *err)
{
  if (code == cudaSuccess)
    return MS_OK;
  const char *name = cudaGetErrorName(code), *text = cudaGetErrorString(code);
  (void)cudaGetLastError();
  if (code == cudaErrorMemoryAllocation)
    return ms_fail(err, MS_ERR_MEMORY,
                   "out of GPU memory while %s; free memory on the GPU, use a "
                   "smaller input, or `MS_BACKEND_CPU`",
                   what);
  if (device_is_lost(code))
    return ms_fail(err, MS_ERR_DEVICE_LOST,
                   "the GPU failed while %s: %s (%s); see nvidia-smi, or use "
                   "`MS_BACKEND_CPU`",
                   what, text, name);
  return ms_fail(err, MS_ERR_INTERNAL,
                 "CUDA refused %s: %s (%s); this is a bug of motifsieve, please report it; "
                 "`MS_BACKEND_CPU` does not use the GPU",
                 what, text, name);
}
