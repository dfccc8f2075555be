-- The same request of a visitor, wherever it came from: made of method, path, key and body. Only for keys that nobody can guess.
alter table platform.idempotency add column request_hash bytea;

create index idempotency_by_request on platform.idempotency (request_hash) where request_hash is not null;
