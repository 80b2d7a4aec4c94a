"""`python -m proofs.mutation`."""

import sys

from proofs.mutation.run import main

sys.exit(main())
