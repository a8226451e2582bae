"""The shapes that values of a request have: times, dates, counts, amounts, names after a preposition."""

from __future__ import annotations

import re

from recollect.extractors import request_words as words

TAKEN = "\x01"
_HOUR = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_NUMBER = r"(?:\d{1,3}|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?<=a )couple)"
_PART = r"(?:morning|afternoon|evening|night)"
TIME = re.compile(
    rf"(?i)(?<![\d$€£:.])\b(?:(?:half|(?:a )?quarter|ten|twenty|five) (?:past|to|till) {_HOUR}"
    rf"(?: ?[ap]\.?m\b| (?:in the|at) {_PART})?|{_PART} \d{{1,2}}(?::\d\d)?(?: ?[ap]\.?m\b)?(?!(?:st|nd|rd|th|\d))|"
    rf"{_HOUR}(?::\d\d)?(?: ?[ap]\.?m\b| ?o['’\"”]? ?clock(?: (?:in the|at) {_PART})?| (?:in the|at) {_PART}\b)|"
    r"\d{1,2}:\d\d\b|noon\b|midnight\b|midday\b)"
)
BARE_TIME = re.compile(rf"(?i)\b(?:at|around|by|to) (?P<v>{_HOUR})(?= ?(?:$|[,.!?;{TAKEN}]|please|instead|tonight))")
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|"
    r"jul|aug|sept?|oct|nov|dec)\b\.?"
)
_NTH = r"\d{1,2}(?:st|nd|rd|th)"
DATE = re.compile(
    rf"(?i)(?<![\d$€£])\b(?:(?:the )?(?:{_NTH}|\d{{1,2}})(?: of| in)? (?:{_MONTH}|(?:this|next) month)(?:,? \d{{4}})?|"
    rf"{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\b(?!:)(?:,? \d{{4}})?|(?:the )?{_NTH}\b(?! (?:street|st\b|ave|road|"
    rf"floor|one\b|option|time|choice|place|century|blvd|st\.))|(?:next|this|coming|the following|following) "
    rf"(?:{_DAY}|week(?:end)?|month)\b|{_DAY}(?: (?:next|this) week)?\b|(?:the )?day after tomorrow\b|tomorrow\b|"
    r"(?:later )?today\b|tonight\b|\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}(?:/\d{2,4})?\b|in (?:a|\d{1,2}|two|three|four) "
    r"(?:days?|weeks?|months?)\b)"
)
ENDS = re.compile(
    r"(?i)\b(?:ret(?:ur)?n\w*|com(?:e|ing) back|back|drop\w*|check\w*[- ]?out|until|till|up ?to|through|end\w*)\b"
    r"[^.!?]{0,24}$"
)
BEGINS = re.compile(
    r"(?i)\b(?:from|leav\w*|depart\w*|pick\w*|start\w*|begin\w*|check\w*[- ]?in|fly\w*|go(?:ing)?|com(?:e|ing)|"
    r"arriv\w*)\b[^.!?]{0,24}$"
)
COMING_FROM = re.compile(r"(?i)\b(?:com(?:e|ing)|travell?ing) from\b")
RETURNS = re.compile(r"(?i)[^.!?]{0,12}\b(?:to |will )?(?:return|come back|drop)")
RANGE = re.compile(rf"(?i){TAKEN}\s*(?:to|through|-|–)\s*(?:the )?$")
_WORD_NUMBER = (
    r"(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    r"eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|and|a)[ -])+"
)
MONEY = re.compile(
    r"(?i)(?P<limit>\b(?:under|below|less than|up to|at most|no more than|max(?:imum)?(?: of)?|within|cheaper than|"
    r"over|"
    rf"above|at least|budget (?:of|is)) )?(?P<v>[$€£] ?\d[\d,.]*\d?k?\b|(?:\d[\d,.]*k?|"
    rf"{_WORD_NUMBER.rstrip('+')}{{1,9}}) "
    r"?(?:dollars|bucks|euros?|pounds|usd|eur|gbp)\b|(?(limit)\d{2,}\b(?! ?(?:people|days|nights|minutes|miles|km))|"
    r"(?!)))"
)
COUNTED = re.compile(
    rf"(?i)\b(?P<n>{_NUMBER}) ?[- ](?:(?!(?:for|in|at|on|to|of|and|with|or|by|from|is|rooms?|days?|nights?) )[a-z-]+ )"
    rf"{{0,2}}?(?:(?P<people>{words.PEOPLE})|(?P<stars>stars?)|(?P<length>{words.LENGTHS})|"
    rf"(?P<thing>{words.COUNTED}))\b"
    r"(?! ago)"
)
FOR_SOME = re.compile(
    rf"(?i)\b(?:for|(?:party|group|total|family) of)(?: only| just| about| a total of)? (?P<v>{_NUMBER})"
    rf"(?=$|[,.!?;{TAKEN} ])(?! ?(?:{TAKEN}|\w+s\b|hour|day|night|week|more\b|way|star|bed|bath|room|of (?:the|my|"
    rf"those|these)))"
)
OF_NUMBER = re.compile(
    rf"(?i)\bnumber of (?P<thing>\w+ ?\w*?) (?:is|are|must be|should be|to be|to|would be) (?P<n>{_NUMBER})\b"
)
ALONE = re.compile(r"(?i)\b(?:just|only) (?P<v>me|myself)(?=$|[,.!?;])")
BARE_NUMBER = re.compile(
    rf"(?i)^(?:(?:no|nope|yes|actually|sorry|wait|please|ok|okay|well|hmm)[,.! ]+)*(?:(?:make|change|set) (?:it|that)"
    rf"(?: to| for)? |i(?: will|'ll| would|'d)? (?:just |only )?(?:need|want|like) |(?:it(?:'s| is|'ll be)|that(?:'s| "
    rf"is)|"
    rf"there (?:will be|are)) |just |only |for |to (?:reserve|book|buy) )*(?P<v>{_NUMBER})(?:,? (?:please|instead|will "
    rf"do|"
    r"would be \w+|is fine|total|altogether|should do))*[.! ]*$"
)
PROVIDER = re.compile(r"(?P<v>(?:[A-Z][a-z]+ ){0,2}[A-Z]\w+ (?i:airlines?|airways|air lines))\b")
QUOTED = re.compile(r"[\"“](?P<v>[^\"“”]{2,60})[\"”]")
CALLED = re.compile(
    r"(?i)\b(?:called|titled|named|(?:name|call|label) it|name (?:to be|to|is|should be|it as)|in the name(?: of)?|"
    rf"(?:on |from |in )?(?:the|my|his|her|their) (?:album|(?:song|movie|film)(?= (?-i:[A-Z])))|by the name of) "
    rf"(?P<v>[^,.!?;{TAKEN}]{{1,60}}?)"
    rf"(?= (?:at|on|for|by|please|and (?:i|it|set|make)|is|in|with|from|sounds?)\b|[,.!?;{TAKEN}]|$)"
)
DEVICE = re.compile(
    r"(?i)\b(?:on|in|via|through|to|using) (?:my |the )?(?P<v>(?:(?!the |my )[a-z]+ )?(?:speakers?|tv|television|"
    r"laptop|"
    r"tablet|headphones|device))\b"
)
ACCOUNT = re.compile(
    r"(?i)(?P<to>\b(?:to|into|in their|their|his|her|recipient|'s|’s) (?:\w+(?:'s|’s) |the )?)?\b(?P<v>checking|"
    r"savings?|joint|business|current)(?P<said> account)?\b(?! in\b| out\b|-)"
)
LANGUAGE = re.compile(rf"(?i)\b(?P<v>{words.LANGUAGES})(?= (?:subtitles?|audio|dub\w*|version|captions?|language))")
CLASS = re.compile(r"(?i)\b(?P<v>premium economy|economy(?! car)|business(?= class)|first(?= class))\b")
YEAR = re.compile(r"(?i)\b(?:from|of|in|released in)(?: the)?(?: year)? (?P<v>(?:19|20)\d\d)\b")
FEATURE = re.compile(
    rf"(?i)\b(?:with|has|have|having|includ\w+|offers?)(?: a| an| free)? (?P<with>{words.FEATURES})\b|"
    rf"\b(?P<v>{words.FEATURE_WORDS})|\b(?P<pets>pets?(?= (?:are |is )?allowed)|smoking(?= (?:is )?allowed))"
)

_NAME_WORD = r"[A-Z\d#][\w'’&.#-]*"
_LINK = r"(?: | (?:of|de|la|del|du|the|of the|&|vs\.?|at the) |-)"
_NAME = rf"(?P<v>(?:the )?{_NAME_WORD}(?:{_LINK}{_NAME_WORD}){{0,6}}(?:, ?(?:[A-Z]{{2,3}}|[A-Z][a-z]{{2,}}))?)"
_LOW_STOP = (
    r"morning|afternoon|evening|night|day|days|date|time|check|on|at|for|from|to|in|and|with|please|by|the|area|that|"
    r"which|i|is|are|my|around|near|till|until|sounds?|would|"
    r"instead|will|there|leaving|going|weather|today"
)
_LOW_NAME = (
    rf"(?P<v>(?!(?:{_LOW_STOP}|a|an|this|it|me|you|your|some|any|order|mind|need|advance|general|case|one|total|"
    rf"which|what|do|be|go|get|see|find|eat|leave|travel|fly|depart|return|pick|rent|buy|change|search|transfer|send|"
    rf"reach|visit|move|listen|hear|expect|book|watch|stay|check|reserve|make|have|know|what|\w+ing)\b)[a-z][\w'-]+"
    rf"(?: (?!(?:{_LOW_STOP})\b)[a-z][\w'-]+){{0,2}}?(?:, ?[a-z]{{2}}\b)?)(?=$|[,.!?;{TAKEN}]| (?:{_LOW_STOP})\b)"
)
BEFORE_PLACE = {
    "place": r"in|near|nearby|around|within|closer? to|outside|across|visit(?:ing)?|over in",
    "origin": r"from|leav(?:e|ing)(?: from)?|depart(?:ing)?(?: from)?|out of|departure (?:city )?(?:is|from)|origin(?: "
    "is)?",
    "destination": r"to|towards?|reach(?:ing)?|into|destination (?:is|being|will be)|arriv\w+ (?:in|at)|land(?:ing)? "
    "in",
    "venue": r"at",
    "by": r"(?:directed |sung |written |made |performed |created )?by|director(?: is)?|artist(?: is)?",
    "with": r"starring|starred by|featuring|(?<!go )(?<!ahead )with|acted by|stars",
}
_CITY = r"(?: the)?(?: (?:city|town|area) (?:of )?)?"
PLACES = {role: re.compile(rf"\b(?i:{before})(?i:{_CITY}) {_NAME}") for role, before in BEFORE_PLACE.items()}
LOW_PLACES = {
    role: re.compile(rf"\b(?:{before}) {_LOW_NAME}")
    for role, before in BEFORE_PLACE.items()
    if role in ("origin", "place")
}
LOW_PLACES["destination"] = re.compile(
    rf"\b(?:going|go|travel\w*|fly|flying|head\w*|get|bus|flights?|trip|buses|trains?) to {_LOW_NAME}"
)
LOW_TO = re.compile(rf"\bto {_LOW_NAME}")
AREA = re.compile(rf"{_NAME}(?= (?i:area|weather|region)\b)")
CHOICE = re.compile(
    r"\b(?i:prefer|how about|what about|go with|choose|pick|select|try|book|play|watch|see|hear|rent|listen to|look at|"
    r"(?:change|make) (?:it|that)(?: to)?|check|tickets? (?:for|to)|thinking (?:of|about)|want|like|for|of|think)"
    rf"(?i: the (?:song|movie|film|album|one called|event))? {_NAME}"
)
OPENS = re.compile(
    rf"^(?i:(?:yes|yeah|no|nope|ok|okay|sure|great|good|well|so|and|please|actually|sorry|maybe|probably|alright|"
    rf"perfect|i think)[,.!]? )*{_NAME}(?= (?i:sounds?|works?|would|seems?|looks?|will|should|please|is|area|works)\b|"
    rf"[,.!]?$)"
)
LOW_OPENS = re.compile(
    r"^(?P<v>[a-z][\w'-]+(?: [a-z][\w'-]+){0,3}?)(?:, ?[a-z]{2})?(?= (?:sounds|works|would be|please)\b|[,.!]?$)"
)
STATE = re.compile(r", ?(?:[A-Z]{2}|[A-Z][a-z]+)$|^[A-Z]{2,3}$")
OF_KIND = re.compile(
    r"(?i)\b(?P<v>[a-z][\w&'-]+)(?= (?:food|cuisine|genre|type|kind|style|dishes|sort|category|size|model)\b)"
)
IN_CLASS = re.compile(
    rf"(?i)(?<![\w-])(?P<v>american football|science fiction|{words.either(words.CUISINES | words.GENRES)})(?![\w-]| "
    rf"(?:option|choice|dish))"
)
IN_SIZES = re.compile(rf"(?i)(?<![\w-])(?P<v>{words.either(words.SIZES)})(?![\w-])")
PRICE = re.compile(rf"(?i)(?<![\w-])(?P<v>{words.either(words.PRICES)})(?![\w-])")
SWAPS = re.compile(r"(?i)(?:how about|what about|(?:change|make) (?:it|that))")
TICKETS = re.compile(rf"(?i)(?:\btickets?|{TAKEN}) $")
OWN = re.compile(r"(?i)\b(?:my|from|to|into|the|in|their|his|her) $")
