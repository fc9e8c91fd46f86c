import { type ReactNode, useMemo, useState } from 'react';
import type { Site } from '#contract/schemas/site.ts';
import type { City } from '#web/api/city.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { CityPicking } from './calculator/trip-fields.tsx';

/** Fetched when somebody first goes near a city button. */
const loadPicker = () => import('./city-picker/city-picker.tsx');
type PickerModule = Awaited<ReturnType<typeof loadPicker>>;

const NOT_LOADED = 'The city search could not be loaded. Please check your connection and try again.';

/** How the calculators have a city chosen, and the dialog for it while it is open. */
export function useCityPicking(credit: Site['placesCredit']): { cities: CityPicking; dialog: ReactNode } {
  const api = useApi();
  const toast = useToast();
  const [open, setOpen] = useState<PickerModule & { readonly choose: (city: City) => void }>();
  const cities = useMemo<CityPicking>(
    () => ({
      prepare: () => void loadPicker().catch(() => undefined),
      pick: (choose) =>
        void loadPicker().then(
          ({ CityPicker }) => setOpen({ CityPicker, choose }),
          () => toast(NOT_LOADED),
        ),
    }),
    [toast],
  );
  const close = () => setOpen(undefined);
  const choose = (city: City) => {
    open?.choose(city);
    close();
  };
  const dialog = open && <open.CityPicker api={api} credit={credit} onChoose={choose} onClose={close} />;
  return { cities, dialog };
}
