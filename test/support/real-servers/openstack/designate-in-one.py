"""All services of OpenStack Designate in one process, which talk to each other in memory.

usage: designate-in-one.py designate.conf pools.yaml
"""
import sys

import designate.cmd  # noqa: F401: it patches the standard library for eventlet, so it comes first
import eventlet
from oslo_config import cfg
from oslo_log import log as logging
from oslo_service import service as os_service

import designate.conf
from designate import utils
from designate.api import service as api_service
from designate.central import service as central_service
from designate.manage import pool as pool_cmd
from designate.mdns import service as mdns_service
from designate.producer import service as producer_service
from designate.worker import service as worker_service

conf, pools = sys.argv[1:3]
cfg.CONF.import_group("keystone_authtoken", "keystonemiddleware.auth_token")
utils.read_config("designate", ["designate-in-one", "--config-file", conf])
logging.setup(designate.conf.CONF, "designate")
launcher = os_service.ServiceLauncher(designate.conf.CONF, restart_method="mutate")
launcher.launch_service(central_service.Service())
eventlet.sleep(0)


class Pools(pool_cmd.PoolCommands):
    """Asks the central service of this process."""

    def _setup(self, dry_run=False, skip_verify_drivers=False):
        self.dry_run, self.skip_verify_drivers = dry_run, skip_verify_drivers
        self.central_api = pool_cmd.central_rpcapi.CentralAPI()


Pools().update(pools, True)
for service in (worker_service, producer_service, mdns_service, api_service):
    launcher.launch_service(service.Service())
launcher.wait()
