-- The event that a venue or organizer was made in, while it has no state of its own: it becomes public together with an event.
alter table calendar.venues add column made_for bigint;
alter table calendar.organizers add column made_for bigint;
