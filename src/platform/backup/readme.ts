/** The first file of every archive, for readers who have nothing but the archive. */
export const readme = `This is a backup of a Kalends instance.

  kalends restore FILE          restores it into the embedded database or a PostgreSQL server
  kalends restore FILE --check  only verifies it

It can be read without Kalends. It is a tar file:

  manifest.json                 tables and columns, numbers of rows, and sequence values
  calendar.events/000001.copy.gz
                                rows of the table calendar.events in the text form of PostgreSQL's COPY: a line for each
                                row, a tab between columns, \\N for null; large tables have several such files
  SHA256SUMS                    checksums: sha256sum -c SHA256SUMS

To load one table into a database of your own:

  tar -xOf FILE --wildcards 'calendar.events/*' | gunzip | psql -c "copy my_table (columns of the manifest) from stdin"

It contains personal data: names and addresses of donors, and hashes of passwords and keys. Protect it like the database
itself. IBANs, donor links, and secrets of webhooks and authenticator apps are encrypted with a key that is not included.
`
