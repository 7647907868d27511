/**
 * Configuration of Keystone and Designate for tests: SQLite, one process each, quotas out of the
 * way. Designate's own name server (mdns) is the pool's only one, and answers questions itself.
 */

/** Where things are. */
export interface OpenStackSite {
  readonly folder: string;
  readonly keystonePort: number;
  readonly apiPort: number;
  readonly dnsPort: number;
}

/** Of the service user, and of the one that the tests are. All are invented. */
export const PASSWORDS = {
  admin: "adminpw",
  designate: "designatepw",
  tenant: "u1 pass word",
} as const;

export function keystoneConf({ folder }: OpenStackSite): string {
  return `
[DEFAULT]
use_stderr = True
[database]
connection = sqlite:///${folder}/keystone.sqlite
[token]
provider = fernet
[fernet_tokens]
key_repository = ${folder}/fernet
[fernet_receipts]
key_repository = ${folder}/fernet
[credential]
key_repository = ${folder}/credential
[cache]
enabled = False
[oslo_messaging_notifications]
driver = noop
[identity]
password_hash_rounds = 4
`;
}

export function designateConf({ folder, keystonePort, apiPort, dnsPort }: OpenStackSite): string {
  return `
[DEFAULT]
use_stderr = True
host = localhost
state_path = ${folder}
root_helper = env
transport_url = fake://
quota_zones = 100000
quota_zone_recordsets = 100000
quota_zone_records = 100000
quota_recordset_records = 20
default_log_levels = sqlalchemy=WARN,oslo.messaging=WARN,stevedore=WARN
[service:api]
listen = 127.0.0.1:${apiPort}
api_base_uri = http://127.0.0.1:${apiPort}/
api_paste_config = /usr/share/designate-common/api-paste.ini
auth_strategy = keystone
enable_api_v2 = True
[service:central]
managed_resource_email = hostmaster@example.test
managed_resource_tenant_id = 11111111-1111-1111-1111-111111111111
[service:mdns]
listen = 127.0.0.1:${dnsPort}
[service:worker]
poll_delay = 0
poll_retry_interval = 1
poll_timeout = 5
poll_max_retries = 10
backend_cache_expiry = 1
[producer_task:worker_periodic_recovery]
interval = 5
[producer_task:delayed_notify]
interval = 1
[storage:sqlalchemy]
connection = sqlite:///${folder}/designate.sqlite
[oslo_concurrency]
lock_path = ${folder}
[oslo_policy]
policy_dirs = ${folder}/policy.d
[oslo_messaging_notifications]
driver = noop
[heartbeat_emitter]
emitter_type = noop
[keystone_authtoken]
www_authenticate_uri = http://127.0.0.1:${keystonePort}/v3
auth_url = http://127.0.0.1:${keystonePort}/v3
auth_type = password
username = designate
password = ${PASSWORDS.designate}
project_name = service
user_domain_id = default
project_domain_id = default
memcached_servers =
`;
}

export function poolsYaml({ dnsPort }: OpenStackSite): string {
  const server = `{ host: 127.0.0.1, port: ${dnsPort} }`;
  return `
- name: default
  description: tests
  attributes: {}
  ns_records: [{ hostname: ns1.example.test., priority: 1 }]
  nameservers: [${server}]
  targets:
    - { type: fake, description: tests, masters: [${server}], options: ${server} }
`;
}
