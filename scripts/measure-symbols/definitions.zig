//! Reads one Zig file from standard input and prints "line name" of each declaration at its top, by the language's own parser.
//! `const std = @import("std")` and `const mem = std.mem` import; they define nothing.
const std = @import("std");

pub fn main() !void {
    const gpa = std.heap.page_allocator;
    const source = try readAll(gpa);
    const tree = try std.zig.Ast.parse(gpa, source, .{});
    for (tree.rootDecls()) |node| {
        switch (tree.nodeTag(node)) {
            .fn_decl, .fn_proto, .fn_proto_multi, .fn_proto_one, .fn_proto_simple => {
                var buffer: [1]std.zig.Ast.Node.Index = undefined;
                const proto = tree.fullFnProto(&buffer, node) orelse continue;
                if (proto.name_token) |token| try print(tree, token);
            },
            .global_var_decl, .simple_var_decl, .aligned_var_decl, .local_var_decl => {
                const value = tree.fullVarDecl(node).?.ast.init_node.unwrap() orelse continue;
                switch (tree.nodeTag(value)) {
                    .field_access => continue,
                    .builtin_call_two, .builtin_call_two_comma => {
                        if (std.mem.eql(u8, tree.tokenSlice(tree.nodeMainToken(value)), "@import")) continue;
                    },
                    else => {},
                }
                try print(tree, tree.nodeMainToken(node) + 1);
            },
            else => {},
        }
    }
}

fn print(tree: std.zig.Ast, token: std.zig.Ast.TokenIndex) !void {
    const line = tree.tokenLocation(0, token).line + 1;
    var buffer: [1000]u8 = undefined;
    const text = try std.fmt.bufPrint(&buffer, "{d} {s}\n", .{ line, tree.tokenSlice(token) });
    _ = std.os.linux.write(1, text.ptr, text.len);
}

fn readAll(gpa: std.mem.Allocator) ![:0]const u8 {
    const buffer = try gpa.alloc(u8, 4_000_000);
    var length: usize = 0;
    while (length < buffer.len - 1) {
        const read = std.os.linux.read(0, buffer.ptr + length, buffer.len - 1 - length);
        if (read == 0 or read > buffer.len) break;
        length += read;
    }
    buffer[length] = 0;
    return buffer[0..length :0];
}
