/// `schema`: the JSON Schema of fixture files.
enum SchemaCommand {
    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        guard let schema = FixtureFiles.schema else {
            throw Failure("this program was built without Fixtures/schema.json")
        }
        terminal.write(String(decoding: schema, as: UTF8.self))
        return 0
    }
}

extension Commands {
    static let schema = Command(
        name: "schema", summary: "print the JSON Schema of fixture files, for editors",
        discussion: [
            "A fixture file names it in its member $schema, and an editor completes and checks what is written: the address",
            "/_understudy/v1/schema.json of a running server, as in files of “fixtures init”, or a file beside it. A folder given to",
            "--fixtures may hold it as schema.json.",
        ],
        examples: [
            ("schema > fixtures/schema.json", "with “\"$schema\": \"./schema.json\"” in the files beside it")
        ],
        run: SchemaCommand.run)
}
