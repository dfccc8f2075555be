/** The first file of every archive, for readers who have nothing but the archive. */
export const readme = `This is everything that one Kalends held at one moment.

  kalends restore FILE          puts it back, into the embedded store or a PostgreSQL server alike
  kalends restore FILE --check  only looks whether it is whole

It can be read without Kalends. It is a tar file:

  manifest.json                 which tables and columns there are, how many rows, and where numbers go on
  calendar.events/000001.copy.gz
                                rows of the table calendar.events in the text form of PostgreSQL's COPY: a line for each
                                row, a tab between columns, \\N for nothing; large tables have several such files
  SHA256SUMS                    checksums: sha256sum -c SHA256SUMS

To load one table into a database of your own:

  tar -xOf FILE --wildcards 'calendar.events/*' | gunzip | psql -c "copy my_table (columns of the manifest) from stdin"

It holds personal data: names and addresses of donors, and hashes of passwords and keys. Keep it as safe as the database
itself. Account numbers, links of donors, and secrets of webhooks and authenticator apps are encrypted with a key that is not in here.
`
