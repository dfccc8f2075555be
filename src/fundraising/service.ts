import type { Settings } from '#platform/config.ts'
import type { Migrations } from '#platform/migrate.ts'
import { problemJson } from '#platform/refuse.ts'
import type { Service } from '#platform/service.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { donationRoutes } from './donations/routes.ts'
import { ibanRule } from './iban.ts'
import { moneyRule } from './money.ts'

export const fundraisingMigrations: Migrations = {
  part: 'fundraising',
  folder: new URL('./migrations/', import.meta.url)
}

export function fundraisingService(settings: Settings): Service {
  return {
    name: 'campaigns',
    title: 'Kalends: donation campaigns',
    dialect: problemJson,
    rules: [moneyRule, ibanRule(settings.ibanPolicy)],
    routes: [campaignRoutes, donationRoutes]
  }
}
