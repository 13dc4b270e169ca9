"""python -m rocsteady is the program: this process becomes it."""
import os
import sys

from ._program import RocsteadyError, find

try:
    program = find()
except RocsteadyError as error:
    sys.exit(f"rocsteady: {error}")
os.execv(program, ["rocsteady", *sys.argv[1:]])
