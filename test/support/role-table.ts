import type { Action, Role } from '#domain/permissions.ts';

/**
 * What each role may do in its own organization, beside what everyone who is logged in may do (§6, decisions §4). The
 * tests of the permission table, of every call and of the menu follow it, so a new role is one more entry here.
 */
export const ROLE_TABLE: Readonly<Record<Role, { readonly may: readonly Action[]; readonly menu: readonly string[] }>> =
  {
    editor: {
      may: [
        'org.edit',
        'org.change',
        'editors.manage',
        'cells.edit',
        'stories.edit',
        'checkouts.read',
        'gifts.stop',
        'checkouts.delete',
        'payments.refund',
        'attention.settle',
        'checks.read',
        'checks.manage',
        'receipts.read',
        'receipts.send',
        'ledger.download',
        'books.read',
        'overview.read',
        'activity.read',
      ],
      menu: ['Overview', 'Org settings', 'Edit pages', 'Checkouts', 'Editors'],
    },
  };

export const roleMay = (role: Role, action: Action): boolean => ROLE_TABLE[role].may.includes(action);
