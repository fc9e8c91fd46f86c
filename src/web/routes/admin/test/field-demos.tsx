import { type ReactNode, useState } from 'react';
import { sentenceOf } from '#domain/failures.ts';
import type { ShownAs } from '#domain/profile.ts';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Checkbox, ChoiceGroup, Select } from '#web/ui/choice.tsx';
import { NumberField, TextArea, TextField } from '#web/ui/field.tsx';
import { FormCard, StillNeeded, UploadProgress } from '#web/ui/form-card.tsx';
import { PhotoField } from '#web/ui/photo-field.tsx';
import { ONCE, RecurrenceSelect } from '#web/ui/recurrence-select.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { EmailField, NewPasswordField, PasswordField } from '#web/ui/sign-in-fields.tsx';
import { ShownAsChoice } from '#web/ui/story-fields.tsx';
import { Demo, DemoSection } from './demo.tsx';

const PERIODS = [
  { value: 'year', label: 'Year' },
  { value: 'quarter', label: 'Quarter', hint: 'Three months' },
] as const;

export function FieldDemos() {
  return (
    <DemoSection title="Fields">
      <TextDemos />
      <ChoiceDemos />
      <PhotoDemos />
      <FormDemos />
    </DemoSection>
  );
}

/** Holds a demo's value. */
function Held<T>({ initial, children }: { initial: T; children: (value: T, set: (value: T) => void) => ReactNode }) {
  const [value, setValue] = useState(initial);
  return children(value, setValue);
}

function TextDemos() {
  return (
    <>
      <Demo title="TextField">
        <TextField label="Empty" hint="A hint" placeholder="A placeholder" />
        <TextField label="Filled" defaultValue="Ithaca" prefix="/" suffix=".org" />
        <TextField label="Wrong" defaultValue="ab" error={sentenceOf('name-too-short', { least: 3 })} />
        <TextField label="Disabled" defaultValue="Read-only" disabled />
      </Demo>
      <Demo title="TextArea">
        <TextArea label="Empty" rows={2} />
        <TextArea label="Wrong" rows={2} defaultValue="Short" error={sentenceOf('story-too-short', { least: 26 })} />
        <TextArea label="Disabled" rows={2} defaultValue="Read-only" disabled />
      </Demo>
      <Demo title="NumberField">
        <Held initial="1">
          {(value, set) => (
            <NumberField
              label="Travelers"
              value={value}
              onChange={({ currentTarget }) => set(currentTarget.value)}
              onStep={(by) => set(String(Math.max(1, Number(value) + by)))}
            />
          )}
        </Held>
        <NumberField label="Amount" prefix="$" suffix=".00" defaultValue="0" />
        <NumberField label="Miles" defaultValue="many" error={m.estimateNumber({ unit: 'miles' })} />
      </Demo>
      <Demo title="EmailField, PasswordField, NewPasswordField">
        <Held initial="nobody@">{(value, set) => <EmailField value={value} onChange={set} />}</Held>
        <PasswordField label="Current password" autoComplete="current-password" defaultValue="dragonfly" />
        <Held initial="">{(value, set) => <NewPasswordField label="New password" value={value} onChange={set} />}</Held>
      </Demo>
    </>
  );
}

function ChoiceDemos() {
  return (
    <>
      <Demo title="Checkbox">
        <Checkbox defaultChecked>Checked</Checkbox>
        <Checkbox>Not checked</Checkbox>
        <Checkbox disabled>Disabled</Checkbox>
      </Demo>
      <Demo title="ChoiceGroup">
        <Held initial="year">
          {(value, set) => (
            <>
              <ChoiceGroup legend="In a column" options={PERIODS} value={asPeriod(value)} onChange={set} />
              <ChoiceGroup legend="In a row" layout="row" options={PERIODS} value={asPeriod(value)} onChange={set} />
            </>
          )}
        </Held>
        <ChoiceGroup legend="Disabled" options={PERIODS} value={undefined} onChange={() => {}} disabled />
      </Demo>
      <Demo title="Select, SelectField, RecurrenceSelect">
        <Select label="Period" options={PERIODS} defaultValue="year" />
        <SelectField label="Period" options={PERIODS} hint="A hint below it" defaultValue="quarter" />
        <SelectField label="Period" options={PERIODS} beside defaultValue="year" />
        <Held initial={ONCE}>
          {(value, set) => <RecurrenceSelect of="A gift, $25.00" value={value} onChange={set} />}
        </Held>
      </Demo>
      <Demo title="ShownAsChoice">
        <Held<ShownAs> initial="full">
          {(value, set) => (
            <ShownAsChoice name="Ada Giver" value={value} onChange={set} withoutPage="We won’t publish anything." />
          )}
        </Held>
      </Demo>
    </>
  );
}

function asPeriod(value: string): 'year' | 'quarter' {
  return value === 'quarter' ? 'quarter' : 'year';
}

function PhotoDemos() {
  return (
    <>
      <Demo title="PhotoField">
        <Held<File | undefined> initial={undefined}>
          {(photo, set) => <PhotoField photo={photo} problem={undefined} onPhoto={set} />}
        </Held>
        <PhotoField
          label="Wrong"
          photo={undefined}
          existing="/img/hero.svg"
          problem={sentenceOf('photo-format')}
          onPhoto={() => {}}
        />
      </Demo>
      <Demo title="PhotoField: wide">
        <PhotoField
          label="Header photo"
          shape="wide"
          photo={undefined}
          existing="/img/hero.svg"
          problem={undefined}
          onPhoto={() => {}}
        />
      </Demo>
      <Demo title="UploadProgress">
        <UploadProgress sent={0} />
        <UploadProgress sent={0.42} what="the photo" />
        <UploadProgress sent={1} what="the photo" />
      </Demo>
    </>
  );
}

function FormDemos() {
  const refusal = { field: undefined, message: sentenceOf('server-error') };
  return (
    <>
      <Demo title="FormCard: incomplete">
        <FormCard
          title="A form"
          sending={false}
          refusal={undefined}
          onSubmit={() => {}}
          foot={
            <>
              <Button type="submit" disabled>
                Save
              </Button>
              <StillNeeded fields="a name and a photo" />
            </>
          }
        >
          <TextField label="A name" />
        </FormCard>
      </Demo>
      <Demo title="FormCard: refused">
        <Refused refusal={refusal} />
      </Demo>
    </>
  );
}

/** Refused only after a click, because a refused form takes the focus. */
function Refused({ refusal }: { refusal: { field: undefined; message: string } }) {
  const [refused, setRefused] = useState(false);
  return (
    <FormCard
      title="A refused form"
      sending={false}
      refusal={refused ? refusal : undefined}
      onSubmit={() => setRefused(true)}
      foot={<Button type="submit">Send</Button>}
    >
      <TextField label="Name" defaultValue="Ada" />
    </FormCard>
  );
}
