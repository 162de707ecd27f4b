package import Essentials

extension JSONValue {
    /// A member that must be a text.
    ///
    /// - Throws: ``DeviceError``.
    package func text(_ name: String) throws -> String {
        guard let text = self[name]?.string else { throw DeviceError("“\(name)” is missing in \(self.text)") }
        return text
    }

    /// A member that must be a whole number.
    ///
    /// - Throws: ``DeviceError``.
    package func number(_ name: String) throws -> Int {
        guard let number = self[name]?.integer else {
            throw DeviceError("“\(name)” is not a number in \(self.text)")
        }
        return number
    }

    /// A member that must be there and not `null`.
    ///
    /// - Throws: ``DeviceError``.
    package func member(_ name: String) throws -> JSONValue {
        guard let member = self[name], !member.isNull else {
            throw DeviceError("“\(name)” is missing in \(text)")
        }
        return member
    }
}
