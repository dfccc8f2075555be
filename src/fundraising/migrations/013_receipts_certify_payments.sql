-- A donation has a receipt for each payment: what is certified once is the payment (fundraising.payments.receipt_id).
drop index fundraising.one_live_receipt;
create index live_receipts_of_donations on fundraising.receipt_donations (campaign_id, donation_id) where live;
