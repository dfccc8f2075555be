import { type Sql, sql } from '#platform/database/sql.ts'
import { amountPattern } from '../content/cost.ts'

/** Events whose lowest price is at most this. Without a cost the price is unknown, and the event is not found. */
export function buildCostCondition(most: number): Sql {
  return sql`(
    select coalesce(
      min(amount.value),
      case when event.cost->'values' = '[]' and event.cost->>'words' ~* ${freeWords} then 0 end
    )
    from jsonb_array_elements_text(event.cost->'values') as price (text)
    cross join lateral (select ${spacesRemoved(sql`substring(price.text from ${amountPattern}::text)`)} as digits) as written
    cross join lateral (select ${toAmount(sql`written.digits`)} as value) as amount
  ) <= ${most}::numeric`
}

/** Words of a cost without a price, as in content/cost.ts. */
const freeWords = '\\m(free|frei|gratis|kostenlos)\\M'

const spacesRemoved = (text: Sql): Sql => sql`translate(${text}, ${" \u00a0\u202f'’"}, '')`

/** The rules of `parseAmount` in content/cost.ts, which a test compares: three digits after a single separator are thousands. */
function toAmount(digits: Sql): Sql {
  return sql`case
    when ${digits} ~ '^[0-9]+$' then ${digits}::numeric
    when ${digits} ~ '^[1-9][0-9]{0,2}([.,])[0-9]{3}(?:\\1[0-9]{3})*$' then translate(${digits}, '.,', '')::numeric
    when ${digits} ~ '^[0-9]{1,3}(?:,[0-9]{3})+[.][0-9]+$' then replace(${digits}, ',', '')::numeric
    when ${digits} ~ '^[0-9]{1,3}(?:[.][0-9]{3})+,[0-9]+$' then replace(replace(${digits}, '.', ''), ',', '.')::numeric
    when ${digits} ~ '^[0-9]*[.,][0-9]+$' then ('0' || replace(${digits}, ',', '.'))::numeric
  end`
}
