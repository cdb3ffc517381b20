-- Folding and words: what two spellings of one name have in common.
--
-- Nothing here depends on the locale of the database: classes of letters and marks are ranges of code points, and the
-- lower case of letters outside ASCII is a table. The ranges are those of Unicode 14; gaps that no character fills,
-- or that folding never leaves, are merged into their neighbours. The same folding exists in Python; a test compares
-- the two.

CREATE SCHEMA IF NOT EXISTS crm;

-- Combining marks, and the characters that have no width: a folded text has neither.
CREATE FUNCTION crm.marks() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '[\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\U000E0000-\U000E007F'
        '\u00AD\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F'
        '\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD'
        '\u0816-\u0819\u081B-\u0823\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0898-\u089F\u08CA-\u08E1\u08E3-\u0903'
        '\u093A-\u093C\u093E-\u094F\u0951-\u0957\u0962\u0963\u0981-\u0983\u09BC\u09BE-\u09CD\u09D7\u09E2\u09E3'
        '\u09FE-\u0A03\u0A3C-\u0A51\u0A70\u0A71\u0A75\u0A81-\u0A83\u0ABC\u0ABE-\u0ACD\u0AE2\u0AE3\u0AFA-\u0B03\u0B3C'
        '\u0B3E-\u0B57\u0B62\u0B63\u0B82\u0BBE-\u0BCD\u0BD7\u0C00-\u0C04\u0C3C\u0C3E-\u0C56\u0C62\u0C63\u0C81-\u0C83'
        '\u0CBC\u0CBE-\u0CD6\u0CE2\u0CE3\u0D00-\u0D03\u0D3B\u0D3C\u0D3E-\u0D4D\u0D57\u0D62\u0D63\u0D81-\u0D83'
        '\u0DCA-\u0DDF\u0DF2\u0DF3\u0E31\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECD\u0F18\u0F19\u0F35'
        '\u0F37\u0F39\u0F3E\u0F3F\u0F71-\u0F84\u0F86\u0F87\u0F8D-\u0FBC\u0FC6\u102B-\u103E\u1056-\u1059\u105E-\u1060'
        '\u1062-\u1064\u1067-\u106D\u1071-\u1074\u1082-\u108D\u108F\u109A-\u109D\u135D-\u135F\u1712-\u1715'
        '\u1732-\u1734\u1752\u1753\u1772\u1773\u17B4-\u17D3\u17DD\u180B-\u180D\u180F\u1885\u1886\u18A9\u1920-\u193B'
        '\u1A17-\u1A1B\u1A55-\u1A7F\u1AB0-\u1B04\u1B34-\u1B44\u1B6B-\u1B73\u1B80-\u1B82\u1BA1-\u1BAD\u1BE6-\u1BF3'
        '\u1C24-\u1C37\u1CD0-\u1CD2\u1CD4-\u1CE8\u1CED\u1CF4\u1CF7-\u1CF9\u1DC0-\u1DFF\u200B-\u200F\u202A-\u202E'
        '\u2060-\u2069\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF\u302A-\u302F\u3099\u309A\uA66F-\uA672'
        '\uA674-\uA67D\uA69E\uA69F\uA6F0\uA6F1\uA802\uA806\uA80B\uA823-\uA827\uA82C\uA880\uA881\uA8B4-\uA8C5'
        '\uA8E0-\uA8F1\uA8FF\uA926-\uA92D\uA947-\uA953\uA980-\uA983\uA9B3-\uA9C0\uA9E5\uAA29-\uAA36\uAA43\uAA4C\uAA4D'
        '\uAA7B-\uAA7D\uAAB0\uAAB2-\uAAB4\uAAB7\uAAB8\uAABE\uAABF\uAAC1\uAAEB-\uAAEF\uAAF5\uAAF6\uABE3-\uABEA'
        '\uABEC\uABED\uFB1E\uFE00-\uFE2F\uFEFF\U000101FD\U000102E0\U00010376-\U0001037A\U00010A01-\U00010A0F'
        '\U00010A38-\U00010A3F\U00010AE5\U00010AE6\U00010D24-\U00010D27\U00010EAB\U00010EAC\U00010F46-\U00010F50'
        '\U00010F82-\U00010F85\U00011000-\U00011002\U00011038-\U00011046\U00011070\U00011073\U00011074'
        '\U0001107F-\U00011082\U000110B0-\U000110BA\U000110C2\U00011100-\U00011102\U00011127-\U00011134'
        '\U00011145\U00011146\U00011173\U00011180-\U00011182\U000111B3-\U000111C0\U000111C9-\U000111CC'
        '\U000111CE\U000111CF\U0001122C-\U00011237\U0001123E\U000112DF-\U000112EA\U00011300-\U00011303'
        '\U0001133B\U0001133C\U0001133E-\U0001134D\U00011357\U00011362-\U00011374\U00011435-\U00011446\U0001145E'
        '\U000114B0-\U000114C3\U000115AF-\U000115C0\U000115DC\U000115DD\U00011630-\U00011640\U000116AB-\U000116B7'
        '\U0001171D-\U0001172B\U0001182C-\U0001183A\U00011930-\U0001193E\U00011940\U00011942\U00011943'
        '\U000119D1-\U000119E0\U000119E4\U00011A01-\U00011A0A\U00011A33-\U00011A39\U00011A3B-\U00011A3E\U00011A47'
        '\U00011A51-\U00011A5B\U00011A8A-\U00011A99\U00011C2F-\U00011C3F\U00011C92-\U00011CB6\U00011D31-\U00011D45'
        '\U00011D47\U00011D8A-\U00011D97\U00011EF3-\U00011EF6\U00016AF0-\U00016AF4\U00016B30-\U00016B36\U00016F4F'
        '\U00016F51-\U00016F92\U00016FE4-\U00016FF1\U0001BC9D\U0001BC9E\U0001CF00-\U0001CF46\U0001D165-\U0001D169'
        '\U0001D16D-\U0001D172\U0001D17B-\U0001D182\U0001D185-\U0001D18B\U0001D1AA-\U0001D1AD\U0001D242-\U0001D244'
        '\U0001DA00-\U0001DA36\U0001DA3B-\U0001DA6C\U0001DA75\U0001DA84\U0001DA9B-\U0001DAAF\U0001E000-\U0001E02A'
        '\U0001E130-\U0001E136\U0001E2AE\U0001E2EC-\U0001E2EF\U0001E8D0-\U0001E8D6\U0001E944-\U0001E94A'
        '\U000E0000-\U000E01EF'
        ']';

-- Letters of scripts that write a word as a run of letters; the inside of a bracket expression.
CREATE FUNCTION crm.letters() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN
        'A-Za-z\u00C6-\u00D0\u00D8-\u00F0\u00F8-\u02C1\u02C6-\u02D1\u02EC\u02EE\u0370-\u0373\u0376-\u03F3'
        '\u03F7-\u0481\u048A-\u0559\u0560-\u0588\u05D0-\u05F2\u0620-\u064A\u066E-\u06D2\u06D5\u06E5\u06E6\u06EE\u06EF'
        '\u06FA-\u06FC\u06FF\u0710-\u07B1\u07CA-\u07F5\u07FA\u0800-\u0828\u0840-\u0858\u0860-\u0887\u0889-\u088E'
        '\u08A0-\u08C9\u0904-\u0961\u0971-\u09E1\u09F0\u09F1\u09FC\u0A05-\u0A5C\u0A72-\u0A74\u0A85-\u0AE1'
        '\u0AF9-\u0B61\u0B71\u0B83-\u0BD0\u0C05-\u0C61\u0C80\u0C85-\u0CE1\u0CF1-\u0D4E\u0D54-\u0D56\u0D5F-\u0D61'
        '\u0D7A-\u0DC6\u0F00\u0F40-\u0F6C\u0F88-\u0F8C\u10A0-\u10FA\u10FD-\u10FF\u1200-\u135A\u1380-\u138F'
        '\u13A0-\u13FD\u1401-\u166C\u166F-\u167F\u1681-\u169A\u16A0-\u16EA\u16F1-\u1731\u1740-\u1770\u1820-\u191E'
        '\u1950-\u19C9\u1A00-\u1A16\u1A20-\u1A54\u1AA7\u1B05-\u1B4C\u1B83-\u1BAF\u1BBA-\u1BE5\u1C00-\u1C23'
        '\u1C4D-\u1C4F\u1C5A-\u1C7D\u1C80-\u1CBF\u1CE9-\u1EFF\u2132\u214E\u2183\u2184\u2C00-\u2CE4\u2CEB-\u2CF3'
        '\u2D00-\u2D67\u2D80-\u2DDE\u2E2F\u3006\u3031-\u3035\u303C\u30FC\u3105-\u312F\u31A0-\u31BF\uA000-\uA48C'
        '\uA4D0-\uA4FD\uA500-\uA60C\uA610-\uA61F\uA62A-\uA66E\uA67F-\uA6E5\uA717-\uA71F\uA722-\uA788\uA78B-\uA822'
        '\uA840-\uA873\uA882-\uA8B3\uA8F2-\uA8F7\uA8FB\uA8FD\uA8FE\uA90A-\uA925\uA930-\uA946\uA984-\uA9B2\uA9CF'
        '\uAA00-\uAA4B\uAA80-\uAADD\uAAE0-\uAAEA\uAAF2-\uAB5A\uAB60-\uAB68\uAB70-\uABE2\uFE73\U00010000-\U000100FA'
        '\U00010280-\U000102D0\U00010300-\U0001031F\U0001032D-\U00010340\U00010342-\U00010349\U00010350-\U0001039D'
        '\U000103A0-\U000103CF\U00010400-\U0001049D\U000104B0-\U00010563\U00010570-\U00010855\U00010860-\U00010876'
        '\U00010880-\U0001089E\U000108E0-\U000108F5\U00010900-\U00010915\U00010920-\U00010939\U00010980-\U000109B7'
        '\U000109BE\U000109BF\U00010A00-\U00010A35\U00010A60-\U00010A7C\U00010A80-\U00010A9C\U00010AC0-\U00010AC7'
        '\U00010AC9-\U00010AE4\U00010B00-\U00010B35\U00010B40-\U00010B55\U00010B60-\U00010B72\U00010B80-\U00010B91'
        '\U00010C00-\U00010CF2\U00010D00-\U00010D23\U00010E80-\U00010EA9\U00010EB0-\U00010F1C\U00010F27-\U00010F45'
        '\U00010F70-\U00010F81\U00010FB0-\U00010FC4\U00010FE0-\U00011037\U00011071-\U000110AF\U000110D0-\U000110E8'
        '\U00011103-\U00011126\U00011144-\U00011172\U00011176-\U000111C4\U000111DA\U000111DC\U00011200-\U0001122B'
        '\U00011280-\U000112A8\U000112B0-\U000112DE\U00011305-\U0001144A\U0001145F-\U000114C5\U000114C7'
        '\U00011580-\U000115AE\U000115D8-\U0001162F\U00011644\U00011680-\U000116B8\U00011700-\U0001171A'
        '\U00011740-\U0001182B\U000118A0-\U000118DF\U000118FF-\U00011941\U000119A0-\U000119E1\U000119E3-\U00011A3A'
        '\U00011A50-\U00011A89\U00011A9D\U00011AB0-\U00011C40\U00011C72-\U00011D46\U00011D60-\U00011D98'
        '\U00011EE0-\U00011EF2\U00011FB0\U00012000-\U00012399\U00012480-\U00012FF0\U00013000-\U0001342E'
        '\U00014400-\U00016A5E\U00016A70-\U00016ABE\U00016AD0-\U00016AED\U00016B00-\U00016B2F\U00016B40-\U00016B43'
        '\U00016B63-\U00016E7F\U00016F00-\U00016FE1\U00017000-\U00018D08\U0001B170-\U0001BC99\U0001DF00-\U0001E13D'
        '\U0001E14E\U0001E290-\U0001E2EB\U0001E7E0-\U0001E8C4\U0001E900-\U0001E94B';

-- Letters of scripts without spaces (Han, Kana, Hangul, Thai, Lao, Khmer, Burmese): each is a word.
CREATE FUNCTION crm.lone_letters() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN
        '\u0E01-\u0E32\u0E40-\u0E46\u0E81-\u0EC6\u0EDE\u0EDF\u1000-\u103F\u1050-\u108E\u1100-\u11FF\u1780-\u17B3'
        '\u17D7\u17DC\u3005\u303B\u3041-\u309D\u30A1-\u30F6\u30FD\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97C'
        '\uA9E0-\uA9EF\uA9FA-\uA9FE\uAA60-\uAA76\uAA7A-\uAA7F\uAC00-\uD7FB\uFA0E-\uFA29\U00016FE3'
        '\U0001AFF0-\U0001B167\U00020000-\U0003134A';

-- Lower case beyond ASCII, and the letters that decomposition leaves alone though readers write them plainly (ł, ø, ß
-- …). Expects a decomposed text.
CREATE FUNCTION crm.plain_letters(decomposed text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN replace(replace(replace(replace(translate(decomposed,
        'ÆÐØÞĐĦŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽ'
        'ϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎ'
        'ԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖႠႡႢႣႤႥႦႧႨႩႪႫႬႭႮႯႰႱႲႳႴႵႶႷႸႹႺႻႼႽႾႿჀჁჂჃჄჅჇჍᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩᎪᎫᎬᎭ'
        'ᎮᎯᎰᎱᎲᎳᎴᎵᎶᎷᎸᎹᎺᎻᎼᎽᎾᎿᏀᏁᏂᏃᏄᏅᏆᏇᏈᏉᏊᏋᏌᏍᏎᏏᏐᏑᏒᏓᏔᏕᏖᏗᏘᏙᏚᏛᏜᏝᏞᏟᏠᏡᏢᏣᏤᏥᏦᏧᏨᏩᏪᏫᏬᏭᏮᏯᏰᏱᏲᏳᏴᏵᲐᲑᲒᲓᲔᲕᲖᲗᲘᲙᲚᲛᲜᲝᲞᲟᲠᲡᲢᲣᲤᲥᲦᲧᲨᲩᲪᲫᲬᲭᲮᲯᲰᲱᲲᲳ'
        'ᲴᲵᲶᲷᲸᲹᲺᲽᲾᲿẞỺỼỾℲↃⰀⰁⰂⰃⰄⰅⰆⰇⰈⰉⰊⰋⰌⰍⰎⰏⰐⰑⰒⰓⰔⰕⰖⰗⰘⰙⰚⰛⰜⰝⰞⰟⰠⰡⰢⰣⰤⰥⰦⰧⰨⰩⰪⰫⰬⰭⰮⰯⱠⱢⱣⱤⱧⱩⱫⱭⱮⱯⱰⱲⱵⱾⱿⲀⲂⲄⲆⲈⲊⲌⲎⲐⲒⲔⲖⲘⲚⲜⲞⲠⲢⲤⲦⲨⲪⲬⲮⲰⲲⲴⲶⲸ'
        'ⲺⲼⲾⳀⳂⳄⳆⳈⳊⳌⳎⳐⳒⳔⳖⳘⳚⳜⳞⳠⳢⳫⳭⳲꙀꙂꙄꙆꙈꙊꙌꙎꙐꙒꙔꙖꙘꙚꙜꙞꙠꙢꙤꙦꙨꙪꙬꚀꚂꚄꚆꚈꚊꚌꚎꚐꚒꚔꚖꚘꚚꜢꜤꜦꜨꜪꜬꜮꜲꜴꜶꜸꜺꜼꜾꝀꝂꝄꝆꝈꝊꝌꝎꝐꝒꝔꝖꝘꝚꝜꝞꝠꝢꝤꝦꝨꝪꝬꝮꝹꝻꝽꝾꞀꞂꞄꞆꞋ'
        'ꞍꞐꞒꞖꞘꞚꞜꞞꞠꞢꞤꞦꞨꞪꞫꞬꞭꞮꞰꞱꞲꞳꞴꞶꞸꞺꞼꞾꟀꟂꟄꟅꟆꟇꟉꟐꟖꟘꟵ𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇𐐈𐐉𐐊𐐋𐐌𐐍𐐎𐐏𐐐𐐑𐐒𐐓𐐔𐐕𐐖𐐗𐐘𐐙𐐚𐐛𐐜𐐝𐐞𐐟𐐠𐐡𐐢𐐣𐐤𐐥𐐦𐐧𐒰𐒱𐒲𐒳𐒴𐒵𐒶𐒷𐒸𐒹𐒺𐒻𐒼𐒽𐒾𐒿𐓀𐓁𐓂𐓃𐓄𐓅𐓆𐓇𐓈𐓉𐓊𐓋𐓌'
        '𐓍𐓎𐓏𐓐𐓑𐓒𐓓𐕰𐕱𐕲𐕳𐕴𐕵𐕶𐕷𐕸𐕹𐕺𐕼𐕽𐕾𐕿𐖀𐖁𐖂𐖃𐖄𐖅𐖆𐖇𐖈𐖉𐖊𐖌𐖍𐖎𐖏𐖐𐖑𐖒𐖔𐖕𐲀𐲁𐲂𐲃𐲄𐲅𐲆𐲇𐲈𐲉𐲊𐲋𐲌𐲍𐲎𐲏𐲐𐲑𐲒𐲓𐲔𐲕𐲖𐲗𐲘𐲙𐲚𐲛𐲜𐲝𐲞𐲟𐲠𐲡𐲢𐲣𐲤𐲥𐲦𐲧𐲨𐲩𐲪𐲫𐲬𐲭𐲮𐲯𐲰𐲱𐲲𑢠𑢡𑢢𑢣𑢤𑢥𑢦𑢧𑢨𑢩𑢪𑢫𑢬𑢭𑢮'
        '𑢯𑢰𑢱𑢲𑢳𑢴𑢵𑢶𑢷𑢸𑢹𑢺𑢻𑢼𑢽𑢾𑢿𖹀𖹁𖹂𖹃𖹄𖹅𖹆𖹇𖹈𖹉𖹊𖹋𖹌𖹍𖹎𖹏𖹐𖹑𖹒𖹓𖹔𖹕𖹖𖹗𖹘𖹙𖹚𖹛𖹜𖹝𖹞𖹟𞤀𞤁𞤂𞤃𞤄𞤅𞤆𞤇𞤈𞤉𞤊𞤋𞤌𞤍𞤎𞤏𞤐𞤑𞤒𞤓𞤔𞤕𞤖𞤗𞤘𞤙𞤚𞤛𞤜𞤝𞤞𞤟𞤠𞤡łøđħıðς',
        'ædoþdhlŋœŧɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻ'
        'ͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏ'
        'ԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆⴀⴁⴂⴃⴄⴅⴆⴇⴈⴉⴊⴋⴌⴍⴎⴏⴐⴑⴒⴓⴔⴕⴖⴗⴘⴙⴚⴛⴜⴝⴞⴟⴠⴡⴢⴣⴤⴥⴧⴭꭰꭱꭲꭳꭴꭵꭶꭷꭸꭹꭺꭻꭼꭽ'
        'ꭾꭿꮀꮁꮂꮃꮄꮅꮆꮇꮈꮉꮊꮋꮌꮍꮎꮏꮐꮑꮒꮓꮔꮕꮖꮗꮘꮙꮚꮛꮜꮝꮞꮟꮠꮡꮢꮣꮤꮥꮦꮧꮨꮩꮪꮫꮬꮭꮮꮯꮰꮱꮲꮳꮴꮵꮶꮷꮸꮹꮺꮻꮼꮽꮾꮿᏸᏹᏺᏻᏼᏽაბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰჱჲჳ'
        'ჴჵჶჷჸჹჺჽჾჿßỻỽỿⅎↄⰰⰱⰲⰳⰴⰵⰶⰷⰸⰹⰺⰻⰼⰽⰾⰿⱀⱁⱂⱃⱄⱅⱆⱇⱈⱉⱊⱋⱌⱍⱎⱏⱐⱑⱒⱓⱔⱕⱖⱗⱘⱙⱚⱛⱜⱝⱞⱟⱡɫᵽɽⱨⱪⱬɑɱɐɒⱳⱶȿɀⲁⲃⲅⲇⲉⲋⲍⲏⲑⲓⲕⲗⲙⲛⲝⲟⲡⲣⲥⲧⲩⲫⲭⲯⲱⲳⲵⲷⲹ'
        'ⲻⲽⲿⳁⳃⳅⳇⳉⳋⳍⳏⳑⳓⳕⳗⳙⳛⳝⳟⳡⳣⳬⳮⳳꙁꙃꙅꙇꙉꙋꙍꙏꙑꙓꙕꙗꙙꙛꙝꙟꙡꙣꙥꙧꙩꙫꙭꚁꚃꚅꚇꚉꚋꚍꚏꚑꚓꚕꚗꚙꚛꜣꜥꜧꜩꜫꜭꜯꜳꜵꜷꜹꜻꜽꜿꝁꝃꝅꝇꝉꝋꝍꝏꝑꝓꝕꝗꝙꝛꝝꝟꝡꝣꝥꝧꝩꝫꝭꝯꝺꝼᵹꝿꞁꞃꞅꞇꞌ'
        'ɥꞑꞓꞗꞙꞛꞝꞟꞡꞣꞥꞧꞩɦɜɡɬɪʞʇʝꭓꞵꞷꞹꞻꞽꞿꟁꟃꞔʂᶎꟈꟊꟑꟗꟙꟶ𐐨𐐩𐐪𐐫𐐬𐐭𐐮𐐯𐐰𐐱𐐲𐐳𐐴𐐵𐐶𐐷𐐸𐐹𐐺𐐻𐐼𐐽𐐾𐐿𐑀𐑁𐑂𐑃𐑄𐑅𐑆𐑇𐑈𐑉𐑊𐑋𐑌𐑍𐑎𐑏𐓘𐓙𐓚𐓛𐓜𐓝𐓞𐓟𐓠𐓡𐓢𐓣𐓤𐓥𐓦𐓧𐓨𐓩𐓪𐓫𐓬𐓭𐓮𐓯𐓰𐓱𐓲𐓳𐓴'
        '𐓵𐓶𐓷𐓸𐓹𐓺𐓻𐖗𐖘𐖙𐖚𐖛𐖜𐖝𐖞𐖟𐖠𐖡𐖣𐖤𐖥𐖦𐖧𐖨𐖩𐖪𐖫𐖬𐖭𐖮𐖯𐖰𐖱𐖳𐖴𐖵𐖶𐖷𐖸𐖹𐖻𐖼𐳀𐳁𐳂𐳃𐳄𐳅𐳆𐳇𐳈𐳉𐳊𐳋𐳌𐳍𐳎𐳏𐳐𐳑𐳒𐳓𐳔𐳕𐳖𐳗𐳘𐳙𐳚𐳛𐳜𐳝𐳞𐳟𐳠𐳡𐳢𐳣𐳤𐳥𐳦𐳧𐳨𐳩𐳪𐳫𐳬𐳭𐳮𐳯𐳰𐳱𐳲𑣀𑣁𑣂𑣃𑣄𑣅𑣆𑣇𑣈𑣉𑣊𑣋𑣌𑣍𑣎'
        '𑣏𑣐𑣑𑣒𑣓𑣔𑣕𑣖𑣗𑣘𑣙𑣚𑣛𑣜𑣝𑣞𑣟𖹠𖹡𖹢𖹣𖹤𖹥𖹦𖹧𖹨𖹩𖹪𖹫𖹬𖹭𖹮𖹯𖹰𖹱𖹲𖹳𖹴𖹵𖹶𖹷𖹸𖹹𖹺𖹻𖹼𖹽𖹾𖹿𞤢𞤣𞤤𞤥𞤦𞤧𞤨𞤩𞤪𞤫𞤬𞤭𞤮𞤯𞤰𞤱𞤲𞤳𞤴𞤵𞤶𞤷𞤸𞤹𞤺𞤻𞤼𞤽𞤾𞤿𞥀𞥁𞥂𞥃lodhidσ'
    ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

-- The folded text: compatibility form, no marks, plain lower-case letters. Folding twice changes nothing.
CREATE FUNCTION crm.fold(written text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE
    WHEN written ~ '[^\x01-\x7f]'
    THEN lower(crm.plain_letters(regexp_replace(normalize(written, NFKD), crm.marks(), '', 'g')) COLLATE "C")
    ELSE lower(written COLLATE "C")
END;

-- The words of a name in their order, folded. Whatever is no letter separates.
CREATE FUNCTION crm.words(written text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(
    SELECT found.groups[1]
    FROM regexp_matches(
        normalize(crm.fold(written), NFC), '[' || crm.lone_letters() || ']|[' || crm.letters() || ']+', 'g'
    ) WITH ORDINALITY AS found(groups, position)
    ORDER BY found.position
);
