import { userRoles } from '#platform/auth/users/schema.ts'
import { roles } from '#platform/caller.ts'
import { version } from '#platform/version.ts'

export const help = `Kalends ${version}: donation campaigns and an events calendar for non-profits and communities.

  kalends serve [SERVICE]       start all services, or one: campaigns, calendar, web; "kalends" alone starts all
  kalends serve worker          run background jobs only (set WORKER=false on the other processes)
  kalends migrate               run pending database migrations
  kalends seed                  create sample content (once)
  kalends seed --remove         delete sample content permanently; keeps edited items and items with real payments
  kalends key create --name NAME --role ROLE [--expires 2027-01-01T00:00:00Z]
  kalends key list
  kalends key revoke ID         roles: ${roles.join(', ')}
  kalends user create --name NAME --email MAIL --role ROLE [--password-file FILE]
                                without a file, a password is generated and printed
  kalends user list
  kalends user password ID [--password-file FILE]
  kalends user reset MAIL       print a password reset link
  kalends user remove ID [--keep-keys]
                                also revokes their API keys, unless --keep-keys; roles: ${userRoles.join(', ')}
  kalends openapi [SERVICE]     print the OpenAPI document; platform has API keys, users and webhooks
  kalends import tec URL        import the calendar of another site (The Events Calendar)
  kalends import ical FILE|URL
  kalends import csv FILE [--map COLUMN=FIELD]...
                                [--dry-run] [--policy keep|overwrite|skip] [--language LANGUAGE] [--timezone ZONE]
                                [--user NAME --password-file FILE]  (tec: application password)
  kalends import tec URL --compare [--json]
                                compare what was imported with the site, field by field; writes nothing.
                                Exit code 0: equal, or every difference is explained; otherwise 1
  kalends import statement FILE [--map COLUMN=FIELD]...
                                import a bank statement (camt.053, camt.054, MT940, CSV); books exact matches, suggests others
  kalends import list
  kalends import undo ID        undo an import; later edits are kept
  kalends export csv|jsonl|ics [--out FOLDER]
                                export events, venues, organizers, campaigns and donations
  kalends export instance FILE  export the instance; "kalends import instance FILE" imports it into an empty one
  kalends backup [FILE]         back up everything into one file, also while serving; - is standard output
  kalends backup --scheduled    what BACKUP_SCHEDULE does, at once: into BACKUP_DIR, verified, copied to the object store
  kalends restore FILE [--check] [--replace [--yes]] [--lost-key]
                                restore a backup; --check only verifies it; - is standard input
  kalends rotate-key [--lost-key]
                                re-encrypt IBANs and secrets with the current key;
                                --lost-key discards those that cannot be decrypted
  kalends doctor                check settings, database, migrations, data, disk and backup
  kalends update --check        check the npm registry for a newer release; by itself the program only does so with UPDATE_REGISTRY
  kalends version               print the version

Settings are environment variables; .env.example lists them.`

export async function run(): Promise<void> {
  console.log(help)
}
