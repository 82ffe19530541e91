/*
 * namespaces.h - unshare(2) and setns(2), which libcof's threads may not
 * prevent
 */
#pragma once

int namespaces_unshare(int flags);
int namespaces_set(int fd, int type);
