-- Secrets of webhooks, sealed with the installation's key. Those from before stay in the other two columns until the job
-- seal-accounts has sealed them. A webhook without any secret, because its key was lost, stays switched off until it gets a new one.
alter table platform.webhooks
  add column secret_sealed          bytea,
  add column previous_secret_sealed bytea,
  alter column secret drop not null;
