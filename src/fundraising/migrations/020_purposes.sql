-- Purposes that were chosen from the law's list, beside those in the organisation's own words, and whether the fees of its
-- members can be deducted (§ 10b Abs. 1 Satz 8 EStG says of which organisations they cannot).
alter table fundraising.organisation
  add column purpose_codes text[] not null default '{}',
  add column membership_fees_deductible boolean not null default false;
