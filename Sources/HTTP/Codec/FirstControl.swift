extension UnsafeBufferPointer<UInt8> {
    /// Where the first control byte from `start` on stands, tab among them; the count where there is none.
    func firstControl(from start: Int) -> Int {
        let memory = UnsafeRawBufferPointer(self)
        var index = start
        while index < count {
            // Eight at a time, unless one of them may be such a byte.
            if index + 8 <= count,
                !memory.loadUnaligned(fromByteOffset: index, as: UInt64.self).mayHaveControls
            {
                index += 8
                continue
            }
            if self[index] < 0x20 || self[index] == 0x7F { break }
            index += 1
        }
        return index
    }
}

extension UInt64 {
    /// False when none of its eight bytes is a control byte. The arithmetic is that of `haszero` and `hasless`: what is less than a bound borrows
    /// from its highest bit. Source: Anderson, Bit Twiddling Hacks.
    fileprivate var mayHaveControls: Bool {
        let (ones, highest): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let low = (self &- ones &* 0x20) & ~self
        let deleted = self ^ ones &* 0x7F
        return (low | ((deleted &- ones) & ~deleted)) & highest != 0
    }
}
