-- What was given: money, the fee of a member, expenses that somebody does not want back, or a thing, which is described in
-- in_kind and counts with its value. The release before records money only.
alter table fundraising.donations
  add column kind text not null default 'money' check (kind in ('money', 'membership_fee', 'waived_expenses', 'in_kind')),
  add column in_kind jsonb,
  add constraint things_are_described check ((kind = 'in_kind') = (in_kind is not null));
