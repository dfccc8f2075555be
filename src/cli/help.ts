import { userRoles } from '#platform/auth/users/schema.ts'
import { roles } from '#platform/caller.ts'
import { version } from '#platform/version.ts'

export const help = `Kalends ${version}: donation campaigns and an events calendar for non-profits and communities.

  kalends serve [PART]          start the services, or one: campaigns, calendar, web
  kalends serve worker          do only what is done later; the others leave it to this one with WORKER=false
  kalends migrate               bring the database up to date
  kalends seed                  fill in sample content; does nothing the second time
  kalends seed --remove         remove it permanently, but for what was edited since or real money rests on
  kalends key create --name NAME --role ROLE [--expires 2027-01-01T00:00:00Z]
  kalends key list
  kalends key revoke ID         roles: ${roles.join(', ')}
  kalends user create --name NAME --email MAIL --role ROLE [--password-file FILE]
                                without a file a password is made and printed
  kalends user list
  kalends user password ID [--password-file FILE]
  kalends user reset MAIL       print a link at which this person chooses a new password
  kalends user remove ID [--keep-keys]
                                ends the keys that they made, too; roles: ${userRoles.join(', ')}
  kalends openapi [PART]        print the OpenAPI document; platform is the part of keys, people and webhooks
  kalends import tec ADDRESS    take over another site's calendar: events, venues, organizers, categories, images
  kalends import ical FILE|ADDRESS
  kalends import csv FILE [--map COLUMN=FIELD]...
                                [--dry-run] [--policy keep|overwrite|skip] [--language LANGUAGE] [--timezone ZONE]
  kalends import statement FILE [--map COLUMN=FIELD]...
                                take in a bank statement (camt.053, camt.054, CSV): books what is clear, suggests the rest
  kalends import list
  kalends import undo ID        take an import back, but for what was edited since
  kalends export csv|jsonl|ics [--out FOLDER]
                                write events, venues, organizers, campaigns and donations as files
  kalends export instance FILE  write the whole instance into one file; import instance FILE reads it into an empty one
  kalends backup [FILE]         write everything into one file, while serving; - is standard output
  kalends restore FILE [--check] [--replace [--yes]] [--lost-key]
                                put a backup back; --check only looks whether it is whole
  kalends rotate-key [--lost-key]
                                encrypt account numbers and secrets with the current key now;
                                --lost-key discards those that no key decrypts
  kalends doctor                check settings, database, tables, contents, disk and backup

Settings are environment variables; .env.example lists them.`

export async function run(): Promise<void> {
  console.log(help)
}
