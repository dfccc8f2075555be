export async function seedFundraising(_db: unknown, _settings: unknown): Promise<number> {
  return 0
}
