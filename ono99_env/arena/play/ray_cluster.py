"""Run jobs on a Ray cluster, through the executor interface of Python's standard library."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from importlib.util import find_spec
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def _call(
    function: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> Result:
    return function(*args, **kwargs)


class RayExecutor(Executor):
    """Runs submitted functions as Ray tasks, on any machine of the cluster.

    Ray runs a task again on another machine if its machine is lost.

    Args:
        address: The address of the cluster for `ray.init`: "auto", "HOST:6379", or None for the
            one that RAY_ADDRESS names or that runs on this machine, or else a new one here. An
            existing connection is used as it is.
        num_cpus: CPUs that each task takes; 0 if the caller holds CPUs and only waits.

    Raises:
        ModuleNotFoundError: If Ray is not installed.
        ConnectionError: If there is no cluster at the address.
    """

    def __init__(self, address: str | None = None, num_cpus: float = 1) -> None:
        if find_spec("ray") is None:
            raise ModuleNotFoundError("a cluster needs Ray: pip install ray")
        import ray

        self._is_own = not ray.is_initialized()
        if self._is_own:
            ray.init(address, log_to_driver=False, logging_level="ERROR")
        task = ray.remote(_call)
        self._task = task.options(num_cpus=num_cpus, scheduling_strategy="SPREAD")

    @property
    def workers(self) -> int:
        """Return how many CPUs the cluster has now."""
        import ray

        return max(1, int(ray.cluster_resources().get("CPU", 1)))

    def submit(
        self,
        fn: Callable[Parameters, Result],
        /,
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Future[Result]:
        """See `Executor.submit`. The function must be importable or picklable."""
        future: Future[Result] = self._task.remote(fn, *args, **kwargs).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the connection if it was made here, and with it all tasks that still run."""
        import ray

        if self._is_own:
            ray.shutdown()
