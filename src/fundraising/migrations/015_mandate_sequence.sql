-- Whether a mandate allows one debit or several, by the codes that banks use: OOFF is one-off, RCUR recurrent. The text of
-- every mandate until now says "recurrent", so that is what it is collected as.
alter table fundraising.mandates
  add column sequence_type text not null default 'RCUR' check (sequence_type in ('OOFF', 'RCUR'));
