/*
 * dladdr.c - see dladdr.h
 */
#include "dynlib/dladdr.h"

#include "cof.h"
#include "dynlib/exported_names.h"

static struct cofl_method *find_method(struct cofl *host, const void *address)
{
	struct cof_method *found;
	unsigned number;

	for (uint32_t i = 0; i < host->n_methods; i++)
		if (cof_method_stub(host->method[i].method) == address)
			return &host->method[i];
	return cof_version_find(host->cof, address, &found, &number) ?
	       cof_method_data(found) : NULL;
}

int cofl_dladdr(struct cofl *host, const void *address, Dl_info *info)
{
	struct cofl_method *m;

	if (dladdr(address, info) != 0)
		return 1;
	m = find_method(host, address);
	if (m == NULL && !cofl_exported_names_is_data(address))
		return 0;
	*info = (Dl_info){ .dli_fname = host->path,
			   .dli_fbase = cofl_exported_names_base() };
	if (m != NULL && cofl_exported_names_own(m->name) != NULL) {
		info->dli_sname = m->name;
		info->dli_saddr = cof_method_stub(m->method);
	}
	return 1;
}
