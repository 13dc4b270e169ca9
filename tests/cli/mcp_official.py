#!/usr/bin/env python3
"""`rocsteady mcp` and the client that the makers of the protocol publish: the package mcp.

usage: mcp_official.py PROGRAM WORK      WORK is an empty directory

Every tool and every resource, in each way in which that client begins. The last line is "every tool answers".
"""
import asyncio
import pathlib
import sys

try:
    import mcp
    from mcp.client.stdio import stdio_client
except ImportError:
    print("skipped: the package mcp of Python is not installed")
    sys.exit(77)

PROGRAM, WORK = sys.argv[1], pathlib.Path(sys.argv[2])
SERVER = mcp.StdioServerParameters(command=PROGRAM, args=["mcp", "--allow", str(WORK)])
CALLS = {"check": {}, "explain": {"text": "RuntimeError: HIP error: out of memory", "text_only": True}, "targets": {"paths": [str(WORK)]},
         "advise": {"gpu": "gfx1151"}, "facts": {}, "query": {"sql": "SELECT 1"}, "kb_show": {"name": "vram-exhausted"},
         "snapshot": {"brief": True}}


async def talk(client):
    names = [tool.name for tool in (await client.list_tools()).tools]
    assert sorted(names) == sorted(CALLS), names
    for name in names:
        result = await client.call_tool(name, CALLS[name])
        assert result.content[0].text and not result.model_dump(by_alias=True)["isError"], (name, result)
    resources = (await client.list_resources()).resources
    assert len(resources) == 2, resources
    for resource in resources:
        assert (await client.read_resource(resource.uri)).contents[0].text, resource
    many = await asyncio.gather(*[client.call_tool("query", {"sql": f"SELECT {i} AS i"}) for i in range(100)])
    assert [f'"i": {i}}}' in result.content[0].text for i, result in enumerate(many)] == [True] * 100


async def with_handshake():
    async with stdio_client(SERVER) as (reader, writer), mcp.ClientSession(reader, writer) as session:
        await session.initialize()
        await talk(session)


async def by_itself(mode):
    """Since its version 2 the client looks for the revision by itself, or takes the one that it is given."""
    async with mcp.Client(SERVER, mode=mode) as client:
        print(f"mode {mode}: revision {client.protocol_version}")
        await talk(client)


asyncio.run(with_handshake())
for mode in ("auto", "2026-07-28") if hasattr(mcp, "Client") else ():
    asyncio.run(by_itself(mode))
print("every tool answers")
