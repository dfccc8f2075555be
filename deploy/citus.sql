-- Spreads the tables of donations over the workers of a Citus cluster, by campaign. To be run once by the owner of the database, on
-- the coordinator, after `kalends migrate`, while no process of Kalends runs; docs/scale.md says when that is worth it, what it costs and
-- with which version it was run. Before: `select citus_set_coordinator_host('…')`, and `select citus_add_node('…', 5432)` for each worker.
-- A test keeps this file in step with the tables that there are: each stands here once, with what becomes of it.

create extension if not exists citus;

-- A campaign and everything that belongs to it lives on one worker: what a donation writes is a transaction there.
select create_distributed_table('fundraising.campaigns', 'id');
select create_distributed_table('fundraising.donations', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.donation_history', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.totals', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.deltas', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.notes', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.mandates', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.collection_items', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.news_consents', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.payments', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.campaign_stories', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.offline_amounts', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.receipt_donations', 'campaign_id', colocate_with => 'fundraising.campaigns');
select create_distributed_table('fundraising.donor_donations', 'campaign_id', colocate_with => 'fundraising.campaigns');

-- Read together with donations on every worker, one row or a few, written by an admin: a copy on each.
select create_reference_table('fundraising.organisation');
select create_reference_table('fundraising.collections');

-- Everything else stays on the coordinator, as it is:

-- Small, and written by people who sign in.
--   platform.keys
--   platform.users
--   platform.sessions
--   platform.sign_in_policy
--   platform.sign_in_steps
--   platform.totp_factors
--   platform.recovery_codes
--   platform.passkeys
--   platform.openid_identities
--   platform.invitations
--   platform.account_links
--   platform.observations
--   platform.site
--   platform.pages
--   platform.page_texts
--   platform.setup
--   platform.samples
--   platform.webhooks
--   fundraising.encryption_key
--   fundraising.signatures
--   fundraising.account_requests
--   fundraising.payer_rules
--   fundraising.receipt_runs
--   fundraising.campaign_updates
--   fundraising.presentation
--   fundraising.campaign_presentations
--   fundraising.bookkeeping
--   fundraising.letter_texts
--   platform.migrations

-- Looked through with `for update skip locked` by whoever is free, which no worker can do for the others.
--   platform.webhook_deliveries
--   platform.webhook_attempts
--   platform.outbox

-- One order over everything that happens, and first answers by keys that are unique over all campaigns. A row each for every donation:
-- what fills up first.
--   platform.activity
--   platform.activity_chain
--   platform.idempotency
--   platform.counters
--   fundraising.used_proofs

-- Numbered without gaps, or unique over all campaigns; as many as a treasurer can look at.
--   fundraising.receipt_numbers
--   fundraising.receipts
--   fundraising.bank_statements
--   fundraising.statement_entries

-- A donor gives to several campaigns; joined with donations when a treasurer looks.
--   fundraising.donors
--   fundraising.donor_linking
--   fundraising.donor_notes
--   fundraising.donor_merges
--   fundraising.donor_distinctions
--   fundraising.donor_letters

-- A hundred million events fit one machine, and lists of them are in one order over all: replicas help here, workers do not.
--   calendar.events
--   calendar.event_texts
--   calendar.event_venues
--   calendar.event_organizers
--   calendar.event_terms
--   calendar.venues
--   calendar.venue_texts
--   calendar.organizers
--   calendar.organizer_texts
--   calendar.terms
--   calendar.term_texts
--   calendar.media
--   calendar.media_sizes
--   calendar.imports
--   calendar.import_rows
--   calendar.import_changes
--   calendar.imported
--   calendar.former_slugs
--   calendar.suggestions
--   calendar.series
--   calendar.event_versions
--   calendar.event_bulk_actions
--   calendar.subscriptions
--   calendar.subscription_items
--   calendar.subscription_runs
--   calendar.subscription_rows
--   calendar.files
--   calendar.imported_paths
