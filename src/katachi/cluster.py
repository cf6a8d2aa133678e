"""Workers of a Dask scheduler instead of processes of this machine.

`on_cluster(address)` connects; within it every pool of `katachi.processes.process_pool` is one of
the scheduler's workers, so the same calls go there. What a task is given and gives back travels;
shards and what is kept between runs stay in folders that all must see under the same path. A task
whose worker dies is done again by another one.

Whoever reaches an open scheduler can run any code on its workers: that is what it is for. With an
address of the kind tls://… both sides prove who they are, by the certificates of Dask's own
configuration.
"""

from __future__ import annotations

import logging
import pickle
import platform
import re
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

from katachi import __version__
from katachi.errors import KatachiError
from katachi.folders import cache_folder, source_digest, writable
from katachi.processes import becomes_worker, pools_elsewhere

CONNECT: Final = 15  # seconds to wait for the scheduler, and for its first worker
_ADDRESS: Final = re.compile(r"\w+://.*:\d+")
DEATHS: Final = 3  # of workers that one task may cost, before it is taken for the cause

_begun = threading.Lock()
_token = ""  # of the pool that this worker process works for


class Worker(NamedTuple):
    """A worker of the scheduler."""

    address: str
    host: str
    memory: int  # bytes that it may use; 0: no limit
    tasks: tuple[str, ...]  # what it is at work on


class Cluster:
    """A scheduler that we are connected to, and its workers."""

    def __init__(self, address: str, client: Any) -> None:
        self.address = address
        self.client = client

    def workers(self) -> list[Worker]:
        """Who is there; the first may take a while to come. Raises KatachiError if nobody does."""
        with self._told():
            with suppress(TimeoutError):
                self.client.wait_for_workers(1, timeout=CONNECT)
            found = self.client.scheduler_info(n_workers=-1)["workers"]
            processing = self.client.processing()
        if not found:
            raise KatachiError(
                f"the scheduler at {self.address} has no worker: start some by "
                f"dask worker {self.address} --nthreads 1"
            )
        return [
            Worker(
                address,
                str(one["host"]),
                int(one.get("memory_limit") or 0),
                tuple(map(str, processing.get(address, ()))),
            )
            for address, one in sorted(found.items())
        ]

    def everywhere(self, work: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
        """Worker → what the work gives there."""
        with self._told():
            return dict(self.client.run(work, *arguments))

    def check(self) -> None:
        """Raises KatachiError unless all workers have one thread, our versions and our files."""
        for address, one in self.client.scheduler_info(n_workers=-1)["workers"].items():
            if one["nthreads"] != 1:
                raise KatachiError(
                    f"the worker {address} has {one['nthreads']} threads: start workers by "
                    f"dask worker {self.address} --nthreads 1 --nworkers {one['nthreads']}"
                )
        ours = versions()
        for address, theirs in self.everywhere(versions).items():
            for name, of_us in ours.items():
                if theirs[name] != of_us:
                    raise KatachiError(
                        f"the worker {address} has {name} {theirs[name]}, and here is {of_us}: "
                        "install the same there"
                    )
        self._check_files()

    def _check_files(self) -> None:
        folder = cache_folder()
        if not writable(folder):
            return  # then nothing is kept there
        with tempfile.NamedTemporaryFile(dir=folder) as sign:
            for address, seen in self.everywhere(_sees, sign.name).items():
                if not seen:
                    raise KatachiError(
                        f"the worker {address} does not see {folder}: all workers need the same "
                        "file system, and KATACHI_CACHE_DIR may name another folder in it"
                    )

    @contextmanager
    def pool(
        self, begin: Callable[..., Any] | None, arguments: tuple[Any, ...]
    ) -> Iterator[Executor]:
        """A pool in which `begin(*arguments)` is called before the first task of each worker."""
        with self._told():
            yield _Pool(self, begin, arguments)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What a lost connection raises becomes a sentence."""
        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError

        try:
            yield
        except KilledWorker:
            raise KatachiError(
                f"{DEATHS} workers died at the same task, perhaps for want of memory: what is done "
                "is kept; run it again, with more memory for each worker"
            ) from None
        except (CommClosedError, CancelledError, TimeoutError, OSError) as error:
            if self.client.status == "running" and not isinstance(error, CommClosedError):
                raise
            raise KatachiError(
                f"the scheduler at {self.address} is gone: what is done is kept; "
                "run it again when it is back"
            ) from None


class _Pool(Executor):
    def __init__(
        self, cluster: Cluster, begin: Callable[..., Any] | None, arguments: tuple[Any, ...]
    ) -> None:
        self._client = client = cluster.client
        self._executor = client.get_executor(retries=DEATHS, pure=False)
        self._token = uuid4().hex
        self._begin = begin
        self._arguments = self.carried(arguments)
        self._places = sorted(client.scheduler_info(n_workers=-1)["workers"])
        self.room = 2 * len(self._places) + 1  # tasks at a time

    def carried(self, load: Any) -> Any:
        """What tasks can have as an argument, and each worker asks for only once. It is the result
        of a task: if all workers that have it die, the scheduler has it made anew.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Dask's advice to scatter what is large
            return self._client.submit(pickle.loads, pickle.dumps(load), pure=False)

    def submit_to(self, place: int, work: Callable[..., Any], *args: Any) -> Any:
        """A task that always goes to the same worker for the same place, if that is alive. Its
        exceptions are not tried again.
        """
        wanted = self._places[place % len(self._places)]
        return self._client.submit(
            _as_worker, work, *args, workers=[wanted], allow_other_workers=True, pure=False
        )

    def submit(self, work: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        if named:
            raise TypeError("tasks have no named arguments")
        found: Future[Any] = self._executor.submit(
            _on_worker, self._token, self._begin, self._arguments, work, args
        )
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait and not cancel_futures)


def _as_worker(work: Callable[..., Any], *args: Any) -> Any:
    becomes_worker()
    return work(*args)


def _on_worker(
    token: str,
    begin: Callable[..., Any] | None,
    arguments: tuple[Any, ...],
    work: Callable[..., Any],
    args: tuple[Any, ...],
) -> Any:
    """A task, in a worker's process."""
    global _token
    becomes_worker()
    with _begun:
        if begin is not None and _token != token:
            begin(*arguments)
            _token = token
    return work(*args)


def versions() -> dict[str, str]:
    """What must be the same everywhere."""
    found = {"Python": platform.python_version(), "Katachi": __version__}
    for name in ("numba", "numpy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # pragma: no cover - then Katachi does not begin
            found[name] = "missing"
    found["Katachi's code"] = source_digest(".")
    return found


def _sees(name: str) -> bool:
    return Path(name).exists()


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """A scheduler, whatever its workers are. Raises KatachiError if it cannot be reached."""
    try:
        import dask
        from distributed import Client
        from distributed.comm.addressing import resolve_address
        from distributed.security import Security
    except ImportError:
        raise KatachiError(
            "a cluster needs Dask: install it by pip install 'katachi[cluster]'"
        ) from None
    if not _ADDRESS.fullmatch(address):
        raise KatachiError(
            f"{address!r} is no address of a scheduler: give the one that dask scheduler prints, "
            "as tcp://host:8786"
        )
    if address.startswith("tls:") and not _has_certificates(Security()):  # type: ignore[no-untyped-call]
        raise KatachiError(
            f"{address} wants certificates, and Dask's configuration names none: set "
            "distributed.comm.tls (see docs/scale.md)"
        )
    for name in [
        name for name in logging.root.manager.loggerDict if name.startswith("distributed")
    ]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we tell what is lost
    with dask.config.set({"distributed.comm.timeouts.connect": f"{CONNECT}s"}):
        try:
            # Asked first: a client that cannot read its address takes half a minute to end
            resolve_address(address)
            client = Client(address, timeout=CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError, ValueError, TypeError, Warning) as error:
            raise KatachiError(
                f"no scheduler answers at {address} ({type(error).__name__}): start one by "
                "dask scheduler, and give the address that it prints"
            ) from None
        try:
            yield Cluster(address, client)
        finally:
            client.close(timeout=5)  # type: ignore[no-untyped-call]


def _has_certificates(security: Any) -> bool:
    return security.get_connection_args("client").get("ssl_context") is not None


@contextmanager
def on_cluster(address: str) -> Iterator[Cluster]:
    """Within this, pools of processes are the workers of this scheduler. Raises KatachiError if it
    cannot be reached, has no worker, or one that cannot do our work.
    """
    with connected(address) as cluster:
        cluster.workers()
        cluster.check()
        with pools_elsewhere(cluster.pool):
            yield cluster
