/* extended.c - walking the chain of extended items; see extended.h. */
#include "extended.h"

items items_of(const uint8_t *event, size_t size)
{
    items walk = { event + ETW_EVENT_HEADER, size - ETW_EVENT_HEADER, 0, 0 };

    walk.more = tw_u16(event + ETW_EVENT_FLAGS) & ETW_EVENT_EXTENDED;
    return walk;
}

int items_next(items *walk, item *out)
{
    const uint8_t *at = walk->at;
    size_t stride;

    if (!walk->more) return 0;
    walk->more = 0;
    walk->broken = 1;
    if (walk->left < ETW_ITEM_DATA) return 0;
    stride = tw_u16(at + ETW_ITEM_SIZE);
    out->type = tw_u16(at + ETW_ITEM_TYPE);
    out->bytes = tw_u16(at + ETW_ITEM_BYTES);
    out->data = at + ETW_ITEM_DATA;
    if (stride < ETW_ITEM_DATA || stride > walk->left || out->bytes > stride - ETW_ITEM_DATA) return 0;
    walk->broken = 0;
    walk->more = tw_u16(at + ETW_ITEM_LINK) & 1;
    walk->at = at + stride;
    walk->left -= stride;
    return 1;
}
