import { roles } from '#platform/access.ts'
import { userRoles } from '#platform/users/schema.ts'
import { version } from '#platform/version.ts'

export const help = `Kalends ${version}: donation campaigns and an events calendar for non-profits and communities.

  kalends serve [PART]          start the services, or one: campaigns, calendar, web
  kalends migrate               bring the database up to date
  kalends seed                  fill in sample content; does nothing the second time
  kalends key create --name NAME --role ROLE [--expires 2027-01-01T00:00:00Z]
  kalends key list
  kalends key revoke ID         roles: ${roles.join(', ')}
  kalends user create --name NAME --email MAIL --role ROLE [--password-file FILE]
                                without a file a password is made and printed
  kalends user list
  kalends user password ID [--password-file FILE]
  kalends user remove ID        roles: ${userRoles.join(', ')}
  kalends openapi [PART]        print the OpenAPI document
  kalends doctor                check settings, database, totals of donations and counts of events

Settings are environment variables; .env.example lists them.`

export async function run(): Promise<void> {
  console.log(help)
}
