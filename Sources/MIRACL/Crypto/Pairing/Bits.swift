/// The bits of a number whose most significant byte is the first, from the highest one that is set.
func bits(of number: [UInt8]) -> [Bool] {
    let all = number.flatMap { byte -> [Bool] in
        stride(from: 7, through: 0, by: -1).map { byte >> $0 & 1 == 1 }
    }
    return Array(all.drop { isSet in !isSet })
}
