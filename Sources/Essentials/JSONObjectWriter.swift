/// An object of JSON that is written member by member, for a shape that is known: no dictionary is built and sorted.
package struct JSONObjectWriter {
    private var text: [UInt8] = [UInt8(ascii: "{")]

    package init() { text.reserveCapacity(768) }

    /// Appends a member; nil adds nothing. To look like a ``JSONValue``, members come in the order of their names.
    package mutating func add(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        JSONValue.write(name, to: &text)
        text.append(UInt8(ascii: ":"))
        value.write(to: &text)
    }

    /// Appends a member whose value is JSON text already.
    package mutating func add(_ name: String, json value: [UInt8]) {
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        JSONValue.write(name, to: &text)
        text.append(UInt8(ascii: ":"))
        text += value
    }

    /// The whole object as JSON text in UTF-8, without white space.
    package var bytes: [UInt8] { text + [UInt8(ascii: "}")] }
}
