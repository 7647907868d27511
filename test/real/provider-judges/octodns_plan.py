"""What octoDNS would change: python octodns_plan.py CONFIG."""

import sys

from octodns.manager import Manager

manager = Manager(sys.argv[1])
changes = manager.sync(dry_run=True)
print("no changes" if changes == 0 else f"{changes} changes")
