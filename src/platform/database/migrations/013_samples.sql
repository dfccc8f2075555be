-- What the sample content consists of, so that it can be removed. A row leaves when somebody edits the thing, which makes it
-- their own, and when the thing is removed. Donations keep theirs however they are edited: nobody gave them.
create table platform.samples (
  kind text not null,
  id   text not null,
  primary key (kind, id)
);

-- Sample content that is there already: the activity log says who created what, and this actor is nobody else's name
-- (users are called "user 5 (…)", keys "key 5 (…)"). What was edited by others or removed since is left out.
insert into platform.samples (kind, id)
select distinct made.subject, made.subject_id
from platform.activity as made
where made.actor = 'sample content' and made.action = made.subject || '.created'
  and not exists (
    select
    from platform.activity as later
    where later.subject = made.subject and later.subject_id = made.subject_id
      and (
        (later.action = made.subject || '.updated' and later.actor <> 'sample content' and made.subject <> 'donation')
        or (later.action = made.subject || '.deleted' and made.subject not in ('campaign', 'donation'))
      )
  );
