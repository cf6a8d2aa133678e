"""`python -m katachi`."""

from katachi.cli import main

if __name__ == "__main__":
    main()
