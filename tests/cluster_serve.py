"""A scheduler of Dask with workers on this machine, for tests of clusters.

    python -m tests.cluster_serve WORKERS THREADS PROTOCOL FOLDER

prints the scheduler's address when its workers are there, and ends with its input.
"""

from __future__ import annotations

import sys


def main() -> None:
    from distributed import LocalCluster

    workers, threads, protocol, folder = sys.argv[1:]
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=int(workers),
        threads_per_worker=int(threads),
        protocol=f"{protocol}://",
        host="127.0.0.1",  # at a port that is free
        dashboard_address=None,
        local_directory=folder,
    ) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()


if __name__ == "__main__":  # its workers import this, too
    main()
