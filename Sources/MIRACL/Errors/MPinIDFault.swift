import Crypto

extension String {
    /// Why this text can be no M-Pin id, for the journal; nil for one that nobody has.
    var mpinIDFault: String? {
        guard Hex.decode(self) == nil || isEmpty else { return nil }
        return
            "The M-Pin id \"\(prefix(24))\" is not hexadecimal: it is the text of its bytes in hexadecimal digits, as the registration "
            + "told it."
    }
}
