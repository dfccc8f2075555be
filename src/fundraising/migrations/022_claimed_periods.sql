-- For the periods that collective receipts of a donor claim already: no two that hold may claim the same day.
create index receipts_claiming on fundraising.receipts (donor_search) where kind = 'collective' and state = 'issued';
