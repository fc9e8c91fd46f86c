import type { OffsetType } from '#domain/cart.ts';
import type { IconName } from '#web/ui/icon.tsx';

const OFFSET_ICONS: Readonly<Record<OffsetType, IconName>> = { air: 'plane', car: 'car', home: 'home' };

export function itemIcon({ offsetType }: { readonly offsetType?: OffsetType | undefined }): IconName {
  return offsetType === undefined ? 'gift' : OFFSET_ICONS[offsetType];
}
