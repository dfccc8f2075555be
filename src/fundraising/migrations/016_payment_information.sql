-- What the sender of a batch of orders called it: the credit of our own direct debits names the batch that it is for.
alter table fundraising.statement_entries
  add column payment_information_id text check (char_length(payment_information_id) <= 140);
