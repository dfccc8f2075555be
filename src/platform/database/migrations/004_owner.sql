-- Number 1 is the owner of the site, who needs no key of their own; what they write is under this number.
select setval(pg_get_serial_sequence('platform.keys', 'id'), (select greatest(max(id), 1) from platform.keys));
update platform.keys set id = default where id = 1;
