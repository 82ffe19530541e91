/*
 * luamodule.c - a module for Lua, which exports its interface
 */
#include <lua.h>
#include <lauxlib.h>

static int add(lua_State *L)
{
	lua_pushinteger(L, luaL_checkinteger(L, 1) + luaL_checkinteger(L, 2));
	return 1;
}

/* A table of f(x) for each x of a table. */
static int map(lua_State *L)
{
	lua_Integer n = luaL_len(L, 1);

	lua_createtable(L, (int)n, 0);
	for (lua_Integer i = 1; i <= n; i++) {
		lua_pushvalue(L, 2);
		lua_geti(L, 1, i);
		lua_call(L, 1, 1);
		lua_seti(L, -2, i);
	}
	return 1;
}

static int fail(lua_State *L)
{
	return luaL_error(L, "failed with %d", 7);
}

int luaopen_luamodule(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "add", add }, { "map", map }, { "fail", fail }, { 0, 0 },
	};

	luaL_newlib(L, functions);
	return 1;
}
