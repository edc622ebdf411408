"""``python -m ono99_env.cli`` is the same as ``ono99``."""

import sys

from ono99_env.cli import main

sys.exit(main())
