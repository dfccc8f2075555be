-- Where an event came from, asked by the event.
create index imported_by_event on calendar.imported (item_id) where kind = 'event';
